import type { AccountMode, ExchangeAccount } from "../../../../src/datasources/calls/accounts/exchangeAccount.js";
import { type DataSource, Fault, RequestReads } from "../../../../src/datasources/index.js";
import { PrivateFeed } from "../../../../src/datasources/streams/feeds/privateFeed.js";
import type { PrivateState } from "../../../../src/datasources/streams/feeds/privateState.js";
import { eventually, settled } from "../../../support/eventually.js";
import { accountNamed, exchangeOver } from "../../../support/exchangeOver.js";
import { type ScriptedExchange, scriptedExchange } from "../../../support/scriptedExchange.js";
import { type HandFed, handFed, Written } from "./handFed.js";

/** An order as v3 writes it over REST. */
export interface WireOrder {
  readonly orderId: string;
  readonly orderStatus: string;
  readonly cumExecQty: string;
  readonly createdTime: string;
  readonly updatedTime: string;
  readonly [field: string]: unknown;
}

export const wireOrder = (orderId: string, changes: Partial<WireOrder> = {}): WireOrder => ({
  orderId,
  clientOid: `c-${orderId}`,
  category: "SPOT",
  symbol: "BTCUSDT",
  orderType: "limit",
  side: "buy",
  price: "64000",
  qty: "1",
  amount: "0",
  cumExecQty: "0",
  cumExecValue: "0",
  avgPrice: "0",
  timeInForce: "gtc",
  orderStatus: "new",
  feeDetail: [],
  createdTime: "1767225600000",
  updatedTime: "1767225600000",
  ...changes,
});

/** A position as v3 pushes and lists it: a push calls the quantity size, a list total. */
export const wirePosition = (symbol: string, { size = "1", ...changes }: { size?: string; [field: string]: unknown } = {}) => ({
  category: "USDT-FUTURES",
  symbol,
  marginCoin: "USDT",
  holdMode: "one_way_mode",
  posSide: "long",
  marginMode: "crossed",
  available: "1",
  frozen: "0",
  size,
  total: size,
  positionStatus: "opening",
  createdTime: "1767225600000",
  updatedTime: "1767225600000",
  ...changes,
});

const isOpen = ({ orderStatus }: WireOrder) => orderStatus === "new" || orderStatus === "partially_filled";

/** A unified account: what the exchange's lists say, and a push line that a test feeds. */
export interface AccountWorld extends HandFed {
  readonly rest: ScriptedExchange;
  readonly exchange: DataSource;
  readonly account: ExchangeAccount;
  /** Every order there is, by its id. */
  readonly orders: Map<string, WireOrder>;
  readonly fills: object[];
  positions: object[];
  assets: object;
  /** The endpoints whose answers were made stale. */
  readonly dropped: string[];
  /** The accounts whose API version was to be asked for again. */
  readonly forgotten: string[];
  /** The account's mode, or why it is not known; perhaps later. */
  mode: AccountMode | Fault | Promise<AccountMode>;
  /** How often it was asked for. */
  asked: number;
  open<V, K>(
    state: (account: ExchangeAccount, mode: AccountMode) => PrivateState<V, K>,
  ): {
    readonly feed: PrivateFeed<V, K>;
    readonly heard: Written<V>;
  };
  /** Makes it a Classic account. */
  becomeClassic(): void;
  /** Lets calls travel, time moving on where they wait for it, until something holds. */
  until(holds: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export async function accountWorld(): Promise<AccountWorld> {
  const fed = handFed();
  const rest = await scriptedExchange();
  const exchange = exchangeOver(rest.url, { clock: fed.clock, deadlineMs: 60_000 });
  const account = accountNamed("main");
  const orders = new Map<string, WireOrder>();
  const dropped: string[] = [];
  const forgotten: string[] = [];
  const answer = (path: string, data: (query: URLSearchParams) => unknown) =>
    rest.on(path, ({ query }) => ({ data: data(query), requestTime: fed.clock.now() }));
  const inCategory = (query: URLSearchParams) => (order: WireOrder) =>
    query.get("category") === null || order.category === query.get("category");
  const world: AccountWorld = {
    ...fed,
    rest,
    exchange,
    account,
    orders,
    fills: [],
    positions: [],
    assets: { accountEquity: "1", assets: [] },
    dropped,
    forgotten,
    mode: "UNIFIED",
    asked: 0,
    open<V, K>(state: (account: ExchangeAccount, mode: AccountMode) => PrivateState<V, K>) {
      const feed = new PrivateFeed(
        fed.upstream,
        {
          modeOf: async () => {
            world.asked++;
            if (world.mode instanceof Fault) throw world.mode;
            return world.mode;
          },
          forgetMode: (owner) => forgotten.push(owner.name),
          newReads: () => new RequestReads(exchange),
          drop: (owner, endpoints) => {
            dropped.push(...endpoints);
            exchange.reader.drop(owner.name, endpoints);
          },
        },
        account,
        () => state,
      );
      const heard = new Written<V>();
      feed.start(heard);
      return { feed, heard };
    },
    becomeClassic() {
      world.mode = "CLASSIC";
      rest.on("/api/v3/account/settings", () => ({ code: "40084", msg: "classic", requestTime: fed.clock.now() }));
    },
    async until(holds) {
      for (let round = 0; round < 2_000 && !holds(); round++) {
        await settled(3);
        if (!holds() && round % 5 === 4) fed.clock.advance(50);
      }
      await eventually(holds, 100);
    },
    async close() {
      await exchange.close();
      await rest.close();
    },
  };
  answer("/api/v3/account/settings", () => ({ uid: "1", accountMode: "unified" }));
  answer("/api/v3/trade/unfilled-orders", (query) => ({
    list: [...orders.values()].filter(isOpen).filter(inCategory(query)),
    cursor: null,
  }));
  answer("/api/v3/trade/history-orders", (query) => ({
    list: [...orders.values()]
      .filter((order) => !isOpen(order) && order.createdTime >= (query.get("startTime") ?? "0"))
      .filter(inCategory(query)),
    cursor: null,
  }));
  rest.on("/api/v3/trade/order-info", ({ query }) => {
    const order = orders.get(query.get("orderId") ?? "");
    return order === undefined
      ? { code: "25204", msg: "order does not exist", requestTime: fed.clock.now() }
      : { data: order, requestTime: fed.clock.now() };
  });
  answer("/api/v3/trade/fills", (query) => ({
    list: world.fills.filter(
      (fill) => query.get("category") === null || ("category" in fill && fill.category === query.get("category")),
    ),
    cursor: null,
  }));
  answer("/api/v3/position/current-position", (query) => ({
    list: world.positions.filter((position) => "category" in position && position.category === query.get("category")),
  }));
  answer("/api/v3/account/assets", () => world.assets);
  return world;
}
