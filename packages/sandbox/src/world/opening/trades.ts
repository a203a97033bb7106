import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { MarginMode, PositionSide } from "../accounts.js";
import type { Side } from "../market/listing.js";
import type { TpslRequest } from "../plans/requests.js";
import type { State } from "../state.js";
import type { Trading } from "../trading.js";
import { BROKER_UID, CLASSIC_SUB_UIDS, CLASSIC_UID, MAIN_UID } from "./initialAccounts.js";

/** Trades of the accounts in the hours before the start: open positions, orders, take-profits and stop-losses. */

interface OpeningPosition {
  readonly uid: string;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly side: PositionSide;
  readonly quantity: string;
  readonly leverage: number;
  readonly marginMode?: MarginMode;
  /** Distances of take-profit and stop-loss from the price, in percent. */
  readonly takeProfit?: number;
  readonly stopLoss?: number;
}

interface OpeningOrder {
  readonly uid: string;
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: string;
  /** Distance of the limit price from the price in percent, on the side where the order rests. */
  readonly away: number;
  readonly posSide?: PositionSide;
}

const [FIRST_SUB, SECOND_SUB] = CLASSIC_SUB_UIDS;
const usdt = { category: "USDT-FUTURES" } as const;
const usdc = { category: "USDC-FUTURES" } as const;
const coin = { category: "COIN-FUTURES" } as const;

const POSITIONS: readonly OpeningPosition[] = [
  { uid: MAIN_UID, ...usdt, symbol: "BTCUSDT", side: "long", quantity: "0.42", leverage: 20, takeProfit: 14, stopLoss: 11 },
  { uid: MAIN_UID, ...usdt, symbol: "ETHUSDT", side: "short", quantity: "4.5", leverage: 10 },
  { uid: MAIN_UID, ...usdt, symbol: "SOLUSDT", side: "long", quantity: "60", leverage: 10, marginMode: "isolated", stopLoss: 9 },
  { uid: MAIN_UID, ...usdc, symbol: "BTCPERP", side: "long", quantity: "0.08", leverage: 20 },
  { uid: MAIN_UID, ...coin, symbol: "ETHUSD", side: "short", quantity: "3", leverage: 5 },
  { uid: CLASSIC_UID, ...usdt, symbol: "BTCUSDT", side: "long", quantity: "0.25", leverage: 20, takeProfit: 12, stopLoss: 12 },
  {
    uid: CLASSIC_UID,
    ...usdt,
    symbol: "ETHUSDT",
    side: "short",
    quantity: "3.2",
    leverage: 10,
    marginMode: "isolated",
    stopLoss: 9,
  },
  { uid: CLASSIC_UID, ...usdc, symbol: "ETHPERP", side: "long", quantity: "1.4", leverage: 10 },
  { uid: CLASSIC_UID, ...coin, symbol: "BTCUSD", side: "long", quantity: "0.12", leverage: 10 },
  { uid: BROKER_UID, ...usdt, symbol: "BTCUSDT", side: "long", quantity: "0.3", leverage: 20 },
  { uid: BROKER_UID, ...usdt, symbol: "BTCUSDT", side: "short", quantity: "0.12", leverage: 20 },
  { uid: FIRST_SUB, ...usdt, symbol: "XRPUSDT", side: "long", quantity: "3200", leverage: 10 },
  { uid: SECOND_SUB, ...usdt, symbol: "DOGEUSDT", side: "short", quantity: "2600", leverage: 10 },
];

const ORDERS: readonly OpeningOrder[] = [
  { uid: MAIN_UID, category: "SPOT", symbol: "BTCUSDT", side: "buy", quantity: "0.05", away: 9 },
  { uid: MAIN_UID, category: "SPOT", symbol: "ETHUSDT", side: "sell", quantity: "1.2", away: 11 },
  { uid: MAIN_UID, ...usdt, symbol: "BTCUSDT", side: "buy", quantity: "0.1", away: 10 },
  { uid: MAIN_UID, ...usdt, symbol: "SOLUSDT", side: "sell", quantity: "20", away: 12 },
  { uid: MAIN_UID, ...usdc, symbol: "ETHPERP", side: "buy", quantity: "0.5", away: 10 },
  { uid: CLASSIC_UID, category: "SPOT", symbol: "BTCUSDT", side: "buy", quantity: "0.04", away: 9 },
  { uid: CLASSIC_UID, category: "SPOT", symbol: "SOLUSDT", side: "sell", quantity: "15", away: 12 },
  { uid: CLASSIC_UID, ...usdt, symbol: "BTCUSDT", side: "buy", quantity: "0.1", away: 11 },
  { uid: CLASSIC_UID, ...coin, symbol: "BTCUSD", side: "buy", quantity: "0.05", away: 10 },
  { uid: BROKER_UID, category: "SPOT", symbol: "LTCUSDT", side: "buy", quantity: "12", away: 9 },
  { uid: BROKER_UID, ...usdt, symbol: "BTCUSDT", side: "sell", quantity: "0.1", away: 12, posSide: "long" },
  { uid: FIRST_SUB, category: "SPOT", symbol: "BTCUSDT", side: "buy", quantity: "0.01", away: 9 },
];

/** An order with a trigger price at this distance from the price in percent; it is executed at market. */
interface OpeningTrigger extends Omit<OpeningOrder, "posSide"> {
  readonly kind: "normal_plan" | "spot";
}

const TRIGGERS: readonly OpeningTrigger[] = [
  { uid: MAIN_UID, kind: "normal_plan", ...usdt, symbol: "ETHUSDT", side: "buy", quantity: "1.5", away: 13 },
  { uid: CLASSIC_UID, kind: "normal_plan", ...usdt, symbol: "SOLUSDT", side: "buy", quantity: "30", away: 13 },
  { uid: CLASSIC_UID, kind: "spot", category: "SPOT", symbol: "SOLUSDT", side: "sell", quantity: "10", away: -14 },
];

type Trade = Pick<Trading, "orders" | "plans" | "settings">;

/** Makes these trades, at the time of the state's clock. */
export function openTrades(state: State, trade: Trade): void {
  for (const position of POSITIONS) openPosition(state, trade, position);
  for (const { away, quantity, ...order } of ORDERS) {
    const price = moved(state, order.category, order.symbol, order.side === "buy" ? -away : away);
    trade.orders.place({ ...order, orderType: "limit", quantity: exact(quantity), price });
  }
  for (const { away, quantity, kind, ...order } of TRIGGERS) {
    const triggerPrice = moved(state, order.category, order.symbol, away);
    const request = { ...order, orderType: "market", quantity: exact(quantity) } as const;
    trade.plans.placeEntry({ kind, triggerPrice, triggerBy: "market", order: request });
  }
}

function openPosition(
  state: State,
  { orders, plans, settings }: Trade,
  { side, quantity, leverage, marginMode, takeProfit, stopLoss, ...of }: OpeningPosition,
): void {
  settings.setLeverage(of, { crossed: leverage, long: leverage, short: leverage });
  if (marginMode !== undefined) settings.setMarginMode(of, marginMode);
  const order = { ...of, side: side === "long" ? "buy" : "sell", posSide: side, orderType: "market" } as const;
  orders.place({ ...order, quantity: exact(quantity) });
  const up = side === "long" ? 1 : -1;
  const requestOf = (role: TpslRequest["role"], percent: number): TpslRequest => ({
    role,
    triggerPrice: moved(state, of.category, of.symbol, percent),
    triggerBy: "mark",
  });
  const tpsl = [
    ...(takeProfit === undefined ? [] : [requestOf("takeProfit", up * takeProfit)]),
    ...(stopLoss === undefined ? [] : [requestOf("stopLoss", -up * stopLoss)]),
  ];
  const isUnified = state.accounts.of(of.uid).mode === "unified";
  if (isUnified && tpsl.length > 0) plans.placeTpsl({ ...of, side, kind: "tpsl", tpsl });
  if (isUnified) return;
  for (const each of tpsl) {
    plans.placeTpsl({ ...of, side, kind: each.role === "takeProfit" ? "pos_profit" : "pos_loss", tpsl: [each] });
  }
}

/** The current price of a symbol moved by a percentage, on the grid. */
function moved({ markets }: State, category: ProductCategory, symbol: string, percent: number): Exact {
  const { listing } = markets.of(category, symbol);
  const price = listing
    .price(markets.tick)
    .times(String(100 + percent))
    .div("100");
  return listing.grid.price(listing.grid.steps(price));
}
