import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { FUTURES_CATEGORIES, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { tradingWallets } from "../funds/wallets.js";
import { most } from "../money.js";
import { type Leg, type Plan, type PlanKind, type PlanStatus, tpslTrigger } from "../plans/plan.js";
import type { PlanStore } from "../plans/planStore.js";
import { type ClosedPosition, closeAverage } from "../positions/position.js";
import { type Random, randomOf } from "../random.js";
import type { State } from "../state.js";
import { BROKER_UID, CLASSIC_SUB_UIDS, CLASSIC_UID, type InitialState, MAIN_UID } from "./initialAccounts.js";
import { cancelledOrder, filledOrder, pastPrice } from "./pastFills.js";
import { enterPastPositions, type PastSpan } from "./pastPositions.js";
import { changesBy } from "./pastRecords.js";

/** One past position in this many had a take-profit or stop-loss. */
const ONE_IN = 3;

/** Adds past trigger orders: take-profits and stop-losses of closed positions, executed or cancelled with them. */
function enterPastPlans(state: InitialState, plans: PlanStore, random: Random): void {
  // Positions closed since the start are not part of the history.
  const closed = state.positions.closed(state.uid).filter(({ updatedTime }) => updatedTime <= state.began);
  for (const position of closed) if (random.oneIn(ONE_IN)) enterOne(state, plans, random, position);
}

function enterOne(state: InitialState, plans: PlanStore, random: Random, position: ClosedPosition): void {
  const { uid, category, symbol, side, createdTime, updatedTime } = position;
  const { listing } = state.markets.of(category, symbol);
  const isProfit = position.realised.gt("0");
  const isExecuted = random.oneIn(2);
  const role = isProfit === isExecuted ? "takeProfit" : "stopLoss";
  const average = closeAverage(position);
  // An executed one has the closing price, a cancelled one a price a few percent away.
  const away = (role === "takeProfit") === (side === "long") ? 103 : 97;
  const price = isExecuted ? average : average.times(String(away)).div("100");
  const triggerPrice = listing.grid.price(listing.grid.steps(price));
  const leg: Leg = { role, trigger: tpslTrigger(role, { triggerPrice, triggerBy: "mark" }, side) };
  const kind: PlanKind = state.isUnified ? "tpsl" : role === "takeProfit" ? "pos_profit" : "pos_loss";
  const status: PlanStatus = isExecuted ? "executed" : "cancelled";
  const plan: Plan = {
    planId: state.ids.past(createdTime),
    clientOid: "",
    uid,
    category,
    symbol,
    kind,
    action: { kind: "close", side, stpMode: "none" },
    createdTime,
    legs: [leg],
    orders: [],
    quantity: undefined,
    status,
    updatedTime,
    ...(isExecuted ? { triggered: leg } : {}),
  };
  plans.end(listing.name, plan);
}

/** Number of records of an account in the ninety days before the start of the world. */
interface Past {
  readonly positions: Partial<Readonly<Record<FuturesCategory, readonly PastSpan[]>>>;
  readonly spotOrders: number;
  /** On spot with borrowed coins; only unified accounts have such orders. */
  readonly marginOrders?: number;
}

const span = (count: number, fromDays: number, toDays: number): PastSpan => ({ count, fromDays, toDays });

/** Every paged list has several pages, also within the thirty days that one query may span. */
const PASTS = {
  [MAIN_UID]: {
    positions: {
      "USDT-FUTURES": [span(60, 89, 30), span(240, 29, 0)],
      "USDC-FUTURES": [span(20, 89, 30), span(50, 29, 0)],
      "COIN-FUTURES": [span(15, 89, 30), span(40, 29, 0)],
    },
    spotOrders: 110,
    marginOrders: 45,
  },
  [CLASSIC_UID]: {
    positions: {
      "USDT-FUTURES": [span(40, 88, 30), span(90, 29, 0)],
      "USDC-FUTURES": [span(30, 60, 0)],
      "COIN-FUTURES": [span(25, 60, 0)],
    },
    spotOrders: 240,
  },
  [BROKER_UID]: { positions: { "USDT-FUTURES": [span(12, 60, 1)] }, spotOrders: 30 },
  [CLASSIC_SUB_UIDS[0]]: { positions: { "USDT-FUTURES": [span(8, 40, 1)] }, spotOrders: 10 },
} as const satisfies Readonly<Record<string, Past>>;

const SPOT_SYMBOLS = ["BTCUSDT", "ETHUSDT", "SOLUSDT", "XRPUSDT", "LINKUSDT"] as const;

/** Number of ids reserved for each account's history. */
const IDS_PER_PAST = 100_000;

/** Prepares the history before the start of the world: closed positions, finished orders, their fills, trigger orders. */
export function prepareHistories(state: State, plans: PlanStore, seed: string): void {
  for (const [uid, past] of Object.entries<Past>(PASTS)) {
    const { markets, orders, positions, accounts, ids, now } = state;
    const account = accounts.of(uid);
    const beginning: InitialState = {
      ...{ markets, orders, positions, uid, began: now(), isUnified: account.mode === "unified" },
      changes: [],
      ids: ids.reserved(IDS_PER_PAST),
      holdModes: {
        "USDT-FUTURES": account.holdMode("USDT-FUTURES"),
        "USDC-FUTURES": account.holdMode("USDC-FUTURES"),
        "COIN-FUTURES": account.holdMode("COIN-FUTURES"),
      },
    };
    state.pasts.prepare(uid, () => {
      enterPast(beginning, past, plans, seed);
      state.records.enterPast(
        uid,
        { openedAt: account.createdTime, began: beginning.began, wallets: tradingWallets(account) },
        beginning.changes,
      );
    });
  }
}

function enterPast(
  beginning: InitialState,
  { positions, spotOrders, marginOrders = 0 }: Past,
  plans: PlanStore,
  seed: string,
): void {
  const { uid } = beginning;
  const random = randomOf(`${seed}/past/${uid}`);
  for (const category of FUTURES_CATEGORIES) enterPastPositions(beginning, random, category, positions[category] ?? []);
  for (let count = 0; count < spotOrders; count++) enterSpotOrder(beginning, random, "SPOT");
  for (let count = 0; count < marginOrders; count++) enterSpotOrder(beginning, random, "MARGIN");
  enterPastPlans(beginning, plans, randomOf(`${seed}/past plans/${uid}`));
}

function enterSpotOrder(state: InitialState, random: Random, category: "SPOT" | "MARGIN"): void {
  const { uid } = state;
  const at = state.began - random.between(MINUTE_MS, 88 * DAY_MS);
  const market = state.markets.of("SPOT", random.pick(SPOT_SYMBOLS));
  const { grid, instrument } = market.listing;
  const value = exact(String(random.between(20, 3_000)));
  const quantity = most(grid.floored(value.div(pastPrice(market, at))), exact(instrument.minQuantity));
  const trade = { uid, category, market, side: random.oneIn(2) ? "buy" : "sell", quantity, at } as const;
  if (random.oneIn(4)) {
    state.orders.enter(cancelledOrder(state, random, trade));
    return;
  }
  const { order, fills } = filledOrder(state, random, trade);
  state.orders.enter(order);
  for (const fill of fills) {
    const whole = { ...fill, profit: exact("0") };
    state.orders.enterFill(whole);
    state.changes.push(...changesBy(state, whole));
  }
}
