import { Fault, type FaultCode, type FaultDetails } from "./fault.js";

/** Calls whose names are words of the exchange, or say less than the graph does. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ["classicAccount", "account settings"],
  ["classicFuturesOrderDetail", "order"],
  ["classicSetMargin", "position margin"],
  ["classicSpotOrderInfo", "order"],
  ["convertTrade", "convert"],
  ["countdownCancelAll", "dead man's switch"],
  ["orderInfo", "order"],
  ["savingsRedeem", "redeem savings"],
  ["savingsRedeemResult", "redemption"],
]);

/**
 * What an endpoint or a channel is about, in words of the graph, for texts that clients see: that of `classicSpotOpenOrders` is
 * "spot open orders". Its name is for operators, in `extensions.endpoint`, logs and metrics.
 */
export const titleOf = (name: string): string =>
  TITLES.get(name) ??
  name
    .replace(/^(?:classic|unified)(?=[A-Z])/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trimStart()
    .replace("sub account", "sub-account");

/** An error of a call of an endpoint: the text begins with what the call is about. */
export const callFault = (
  code: FaultCode,
  endpoint: string,
  text: string,
  details: Omit<FaultDetails, "endpoint"> = {},
  options?: ErrorOptions,
): Fault => new Fault(code, `${titleOf(endpoint)}: ${text}`, { endpoint, ...details }, options);
