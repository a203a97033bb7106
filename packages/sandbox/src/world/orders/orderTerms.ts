import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../../refused.js";
import { type Account, leverageOf, type PositionSide } from "../accounts.js";
import { type FuturesInstrument, type Instrument, isFutures } from "../catalogue/instrument.js";
import { type Dialect, dialectOf, refused } from "../dialect.js";
import { ZERO } from "../ledger.js";
import type { Market } from "../market/market.js";
import type { State } from "../state.js";
import { type OrderRequest, type OrderTerms, type PositionTerms, positionTerms } from "./order.js";

/** The market of a symbol. Refuses an unknown one. Margin trades the pairs that are open to borrowers. */
export function listedMarket(state: State, { uid, category, symbol }: Pick<OrderRequest, "uid" | "category" | "symbol">): Market {
  const market = state.markets.find(category, symbol);
  const isListed = category !== "MARGIN" || state.catalogue.marginPair(symbol)?.isUnderMaintenance === false;
  if (market !== undefined && isListed) return market;
  const names = { spot: [symbol], futures: ["symbol"], unified: ["symbol"] };
  throw refused(dialectOf(state.accounts.of(uid), category), "unknownSymbol", names);
}

/** The contract of a symbol. Refuses an unknown one. */
export function listedContract(state: State, named: Pick<OrderRequest, "uid" | "category" | "symbol">): FuturesInstrument {
  const { instrument } = listedMarket(state, named).listing;
  if (!isFutures(instrument)) throw new Refused(REFUSAL.unknownValue, "category");
  return instrument;
}

/** Completes a request from the account's modes and settings. */
export function termsOf(state: State, request: OrderRequest, instrument: Instrument, dialect: Dialect): OrderTerms {
  const { uid, category, side, orderType, price, amount, takeProfit, stopLoss, planId } = request;
  const account = state.accounts.of(uid);
  return {
    uid,
    category,
    symbol: instrument.symbol,
    side,
    orderType,
    timeInForce: orderType === "market" ? "ioc" : (request.timeInForce ?? "gtc"),
    quantity: request.quantity ?? ZERO,
    clientOid: request.clientOid ?? "",
    stpMode: request.stpMode ?? "none",
    execType: request.execType ?? "normal",
    ...(price === undefined || orderType === "market" ? {} : { price }),
    ...(amount === undefined ? {} : { amount }),
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
    ...(planId === undefined ? {} : { planId }),
    ...(isFutures(instrument) ? { position: requestedTerms(state, request, account, instrument, dialect) } : {}),
  };
}

function requestedTerms(
  state: State,
  request: OrderRequest,
  account: Account,
  { category, symbol, contract }: FuturesInstrument,
  dialect: Dialect,
): PositionTerms {
  const holdMode = account.holdMode(category);
  const isHedge = holdMode === "hedge_mode";
  if (isHedge && request.posSide === undefined) throw refused(dialect, "positionSide");
  const traded: PositionSide = request.side === "buy" ? "long" : "short";
  const side = isHedge ? (request.posSide ?? traded) : traded;
  const setting = account.setting(category, symbol);
  const marginMode = request.marginMode ?? setting.marginMode;
  if (marginMode !== setting.marginMode && isTraded(state, request.uid, category, symbol))
    throw new Refused(REFUSAL.marginModeBusy);
  return positionTerms(side, side === traded ? "open" : "close", {
    holdMode,
    reduceOnly: request.reduceOnly === true,
    marginMode,
    leverage: leverageOf({ ...setting, marginMode }, side),
    marginCoin: contract.marginCoin,
  });
}

/** Whether the user has a position or an open order on a symbol. Modes cannot be changed meanwhile. */
export function isTraded(
  { positions, orders }: State,
  uid: string,
  category: FuturesInstrument["category"],
  symbol?: string,
): boolean {
  for (const position of positions.open(uid)) {
    if (position.category === category && (symbol === undefined || position.symbol === symbol)) return true;
  }
  for (const order of orders.open(uid)) {
    if (order.category === category && (symbol === undefined || order.symbol === symbol)) return true;
  }
  return false;
}
