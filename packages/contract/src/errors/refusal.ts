import type { Endpoint, Violation } from "../endpoint.js";
import type { ParameterSet } from "../parameter.js";
import { inWords, type TimelineRange } from "../window.js";

/** A refusal of the exchange: the code, the text with the placeholders `{0}` and `{1}`, the HTTP status. */
export interface Refusal {
  readonly code: string;
  readonly msg: string;
  readonly status: number;
}

const no = (code: string, msg: string, status = 400): Refusal => ({ code, msg, status });

/** Every refusal by name, so that code refers to refusals by name instead of by number. */
export const REFUSAL = {
  // Checks before a call is read: path, key, clock, signature, permission.
  unknownPath: no("40404", "Request URL NOT FOUND", 404),
  retired: no("30032", "The V1 API has been decommissioned. Please migrate to a newer version."),
  tooManyRequests: no("429", "Too Many Requests", 429),
  missingKey: no("40006", "Invalid ACCESS_KEY"),
  unknownKey: no("40037", "Apikey does not exist"),
  wrongEnvironment: no("40099", "exchange environment is incorrect"),
  classicAccount: no("40084", "You are in Classic Account mode, and the Unified Account API is not supported at this time"),
  unifiedAccount: no("40085", "You are in Unified Account mode, and the Classic Account API is not supported at this time"),
  accountChanging: no("40115", "The unified account is being upgraded or rolled back, please try again later"),
  badTimestamp: no("40005", "Invalid ACCESS_TIMESTAMP"),
  staleTimestamp: no("40008", "Request timestamp expired"),
  missingPassphrase: no("40011", "ACCESS_PASSPHRASE cannot be empty"),
  wrongPassphrase: no("40012", "apikey/password is incorrect"),
  missingSignature: no("40002", "ACCESS_SIGN cannot be empty"),
  wrongSignature: no("40009", "sign signature error"),
  wrongContentType: no("40007", "Invalid Content_Type"),
  missingPermission: no("40014", "Incorrect permissions, need {0} permissions"),
  notABroker: no("40029", "Not a Broker"),
  brokerExcluded: no("40014", "Incorrect permissions, need non-broker permissions"),

  // Parameters.
  missingParameter: no("40019", "Parameter {0} cannot be empty"),
  malformedParameter: no("40020", "Parameter {0} error"),
  unknownValue: no("40034", "Parameter {0} does not exist"),
  illegalValue: no("400172", "{0} Illegal type"),
  brokenCombination: no("40017", "Parameter verification failed {0}"),
  badClientOid: no("40305", "client_oid must have at most 64 characters, and no odd ones"),
  badCursor: no("40700", "The cursor parameter is incorrect"),
  endBeforeStart: no("40707", "Start time is greater than end time"),
  rangeTooLong: no("00001", "startTime and endTime interval cannot be greater than {0}"),
  tooOld: no("40704", "Only the data of the last {0} can be queried"),
  outsideReceiveWindow: no("40078", "The request is outside the receiveWindow"),
  receiveWindowTooLong: no("40079", "receiveWindow must be less than 60 seconds"),

  // Symbols.
  unknownSymbol: no("40034", "Parameter {0} does not exist"),
  unknownSpotSymbol: no("42016", "The symbol {0} is invalid or not supported"),
  symbolOffline: no("41113", "symbol is offline"),
  symbolMaintained: no("41114", "The current trading pair is under maintenance"),
  contractRemoved: no("40309", "The contract has been removed"),
  unifiedSymbolClosed: no("25101", "The trading pair is not open"),

  // Balances.
  insufficientBalance: no("43012", "Insufficient balance"),
  insufficientFuturesBalance: no("40762", "The order amount exceeds the balance"),
  insufficientUnifiedBalance: no("25202", "Insufficient balance"),
  insufficientUnifiedMargin: no("25203", "Insufficient margin"),
  insufficientEarnBalance: no("59011", "Insufficient balance"),
  beyondTransferable: no("43117", "Exceeds the maximum amount that can be transferred"),

  // Orders: spot, futures, unified.
  spotOrderNotFound: no("43001", "The order does not exist"),
  futuresOrderNotFound: no("40109", "The data of the order cannot be found, please confirm the order number"),
  futuresCancelNotFound: no("40768", "Order does not exist"),
  planOrderNotFound: no("43025", "Plan order does not exist"),
  unifiedOrderNotFound: no("25204", "Order does not exist"),
  strategyNotFound: no("25577", "The strategy does not exist"),
  strategyNotModifiable: no("25598", "The status of the strategy does not allow the modification"),
  spotDuplicate: no("43118", "clientOrderId duplicate"),
  futuresDuplicate: no("40786", "Duplicate clientOid"),
  unifiedDuplicate: no("25212", "Duplicate clientOid"),
  spotTooManyOrders: no("43005", "Exceed the maximum number of orders"),
  futuresTooManyOrders: no("40761", "The total number of unfilled orders is too high"),
  unifiedTooManyOrders: no("25211", "Exceed the maximum number of orders"),
  modifyNeedsName: no("22003", "modify price and size, newClientOid is required"),
  modifyTogether: no("40925", "price and size must be passed in at the same time"),
  nothingModified: no("40923", "The order size and price have not changed"),
  unifiedNothingModified: no("25571", "The order has not changed"),
  unifiedReduceOnlyProtected: no("25574", "The order may not close more than the position"),
  unifiedNotModifiable: no("25568", "The order cannot be modified"),

  // Quantity, value, price.
  belowMinimumAmount: no("45110", "less than the minimum amount {0} USDT"),
  belowMinimumQuantity: no("45111", "less than the minimum order quantity"),
  aboveMaximumQuantity: no("45112", "more than the maximum order quantity"),
  unifiedBelowMinimumQuantity: no("25207", "The order quantity is less than the minimum {0}"),
  unifiedAboveMaximumQuantity: no("25208", "The order quantity is greater than the maximum {0}"),
  unifiedBelowMinimumAmount: no("25611", "The order amount is less than the minimum {0}"),
  spotPriceTooLow: no("43008", "The current order price cannot be lower than {0}"),
  spotPriceTooHigh: no("43009", "The current order price exceeds the limit {0}"),
  futuresPriceTooHigh: no("40815", "The order price cannot be higher than the highest bid price"),
  futuresPriceTooLow: no("40816", "The order price cannot be lower than the lowest ask price"),
  unifiedPriceTooLow: no("25205", "The price of {0} cannot be more than {1}% lower"),
  unifiedPriceTooHigh: no("25206", "The price of {0} cannot be more than {1}% higher"),
  tooManyDecimals: no("40808", "Parameter verification exception {0} checkBDScale error value={1} checkScale={2}"),
  spotPriceScale: no("41103", "param price scale error error"),
  futuresPriceStep: no("45115", "The price should be a multiple of {0}"),
  unifiedPriceStep: no("25244", "The price should be a multiple of {0}"),
  unifiedQuantityPrecision: no("25610", "The amount precision is {0}"),

  // Positions.
  positionSideMissing: no("25236", "Incorrect position open type"),
  positionModeMismatch: no("40774", "The order type for unilateral position must also be the unilateral position type."),
  openingTypeIllegal: no("400172", "Illegal position opening type"),
  positionModeBusy: no("40920", "The position mode cannot be switched while there is a position or an order"),
  unifiedPositionModeHeld: no("25107", "The position mode cannot be switched while there is a position"),
  unifiedPositionModeOrdered: no("25570", "The position mode cannot be switched while there is a pending order"),
  marginModeBusy: no("45117", "The margin mode cannot be adjusted while there is a position or an order"),
  marginOfCrossed: no("40875", "Whole position mode does not support margin adjustment"),
  marginBeyondTransferable: no("40801", "Cannot exceed the maximum transferable margin amount"),
  sameLeverage: no("45054", "The leverage has not changed"),
  leverageHeld: no("40872", "The leverage cannot be adjusted while there is a position"),
  leverageOrdered: no("45097", "The leverage cannot be adjusted while there is an order"),
  leverageOutOfRange: no("45044", "The leverage is out of range"),
  unifiedLeverageTooHigh: no("25223", "The leverage exceeds the maximum {0}"),
  unifiedLeverageMargin: no("25228", "Insufficient margin for the leverage"),
  positionBeyondTier: no("40763", "The position exceeds the limit of the leverage"),
  unifiedPositionBeyondTier: no("25233", "The position exceeds the limit of the leverage"),
  noPosition: no("22002", "No position to close"),
  unifiedNoPosition: no("25227", "No position to close"),
  positionTooSmall: no("40757", "Not enough position is available"),
  unifiedPositionTooSmall: no("25225", "Not enough position is available"),
  noPositionForTpsl: no("43023", "Insufficient position, can not set profit or stop loss"),
  unifiedNoPositionForTpsl: no("25601", "Insufficient position, can not set profit or stop loss"),
  unifiedTpslOfClosing: no("25612", "Stop profit and stop loss prices can only be set for opening orders"),
  takeProfitWrongSide: no("40915", "The stop profit price is on the wrong side of the current price"),
  stopLossWrongSide: no("40917", "The stop loss price is on the wrong side of the current price"),
  shortStopLossWrongSide: no("45122", "The stop loss price of a short position must be above the current price"),
  unifiedTakeProfitWrongSide: no("25579", "The take-profit price is on the wrong side of the current price"),
  unifiedStopLossWrongSide: no("25580", "The stop-loss price is on the wrong side of the current price"),

  // Convert, earn, loans, broker.
  quoteFailed: no("12004", "The quotation failed"),
  quoteExpired: no("12021", "The quotation has expired"),
  quoteChanged: no("12022", "The quotation has changed"),
  convertTooLittle: no("12006", "The amount is below the minimum {0}"),
  convertTooMuch: no("12007", "The amount is above the maximum {0}"),
  earnParameter: no("59013", "Parameter error"),
  earnTooFrequent: no("59044", "Operations are frequent, please try again later."),
  redeemTooLittle: no("59033", "The redemption amount is below the minimum {0}"),
  earnStateForbids: no("59037", "The status does not allow the operation"),
  badWithdrawalAddress: no("47002", "The address is wrong"),

  // The exchange itself.
  abnormal: no("40015", "System is abnormal, please try again later"),
  serviceFault: no("40725", "service return an error", 500),
  upgrading: no("40200", "Server upgrade, please try again later"),
} as const satisfies Readonly<Record<string, Refusal>>;

/** A refusal's text with its placeholders filled. */
export const filled = (msg: string, ...values: readonly string[]): string =>
  msg.replace(/\{(\d)\}/g, (placeholder, at: string) => values[Number.parseInt(at, 10)] ?? placeholder);

/** Parameters with a refusal of their own for values out of bounds. */
const BOUND_REFUSAL: Readonly<Record<Endpoint["apiVersion"], ReadonlyMap<string, Refusal>>> = {
  v2: new Map([
    ["receiveWindow", REFUSAL.receiveWindowTooLong],
    ["clientOid", REFUSAL.badClientOid],
    ["newClientOid", REFUSAL.badClientOid],
  ]),
  v3: new Map(),
};

/** Calls that refuse a missing parameter like a value that is not listed. */
const ILLEGAL_IF_MISSING: ReadonlySet<string> = new Set(["/api/v3/account/financial-records category"]);

/** Parameters with a refusal of their own if they are missing: by themselves, or where another parameter requires them. */
const MISSING_REFUSAL: ReadonlyMap<string, Refusal> = new Map([["newClientOid", REFUSAL.modifyNeedsName]]);
const COMBINATION_REFUSAL: ReadonlyMap<string, Refusal> = new Map([
  ["newSize", REFUSAL.modifyTogether],
  ["newPrice", REFUSAL.modifyTogether],
]);

/** Parameters with intervals, which are not names: an unknown interval is refused as malformed. */
const INTERVALS: ReadonlySet<string> = new Set(["interval", "granularity"]);

const rangeText = (span: TimelineRange | undefined): string => (span === undefined ? "" : inWords(span));

/**
 * The exchange's answer to a violated parameter rule: the refusal, and the values for its text. A value outside a closed set has
 * a code of its own in each API version.
 */
export function refusalOf<P extends ParameterSet>(
  call: Pick<Endpoint<P>, "apiVersion" | "parameters" | "path" | "window">,
  { parameter, problem }: Violation,
): { readonly refusal: Refusal; readonly values: readonly string[] } {
  const about = (refusal: Refusal, ...values: readonly string[]) => ({ refusal, values });
  switch (problem) {
    case "missing":
      if (ILLEGAL_IF_MISSING.has(`${call.path} ${parameter}`)) return about(REFUSAL.illegalValue, parameter);
      return about(MISSING_REFUSAL.get(parameter) ?? REFUSAL.missingParameter, parameter);
    case "malformed":
      return about(REFUSAL.malformedParameter, parameter);
    case "not allowed":
      if (call.parameters[parameter]?.tokens === undefined)
        return about(BOUND_REFUSAL[call.apiVersion].get(parameter) ?? REFUSAL.malformedParameter, parameter);
      if (INTERVALS.has(parameter)) return about(REFUSAL.malformedParameter, parameter);
      return about(call.apiVersion === "v3" ? REFUSAL.unknownValue : REFUSAL.illegalValue, parameter);
    case "order":
      return about(REFUSAL.endBeforeStart);
    case "too old":
      return about(REFUSAL.tooOld, rangeText(call.window?.age));
    case "range":
      return about(REFUSAL.rangeTooLong, rangeText(call.window?.range));
    case "combination":
      return about(COMBINATION_REFUSAL.get(parameter) ?? REFUSAL.brokenCombination, parameter);
  }
}
