import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Sandbox } from "@exchange-graph/sandbox";
import { causeOf } from "@exchange-graph/sandbox/world/cause";
import { houseWallet, type WalletKind, walletOf } from "@exchange-graph/sandbox/world/ledger";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";

type Mode = "unified" | "classic";

/** A state of an account that the sandbox can be put into. */
export interface AccountState {
  readonly name: string;
  readonly mode: Mode;
  /** A user that the sandbox has from its beginning. Default: a new one, with coins. */
  readonly uid?: string;
  /** Puts the account into the state. */
  readonly begin?: (account: Actor) => void;
  /** What the account does once a minute. */
  readonly eachMinute?: (account: Actor) => void;
}

const CONTRACTS = {
  usdt: { category: "USDT-FUTURES", symbol: "BTCUSDT", qty: "0.05" },
  usdc: { category: "USDC-FUTURES", symbol: "BTCPERP", qty: "0.04" },
  coin: { category: "COIN-FUTURES", symbol: "BTCUSD", qty: "0.01" },
} as const satisfies Readonly<Record<string, { category: FuturesCategory; symbol: string; qty: string }>>;
type Contract = keyof typeof CONTRACTS;

const COINS = { USDT: "50000", BTC: "1", ETH: "5", USDC: "20000" };
const HELD: Readonly<Record<Mode, readonly (readonly [WalletKind, Readonly<Record<string, string>>])[]>> = {
  unified: [["unified", COINS]],
  classic: [
    ["spot", COINS],
    ["usdt-futures", { USDT: "20000" }],
    ["usdc-futures", { USDC: "10000" }],
    ["coin-futures", { BTC: "0.5", ETH: "4" }],
    ["crossed-margin", { USDT: "3000" }],
  ],
};

interface OrderTerms {
  readonly side?: "buy" | "sell";
  /** Distance of the limit price from the market in percent. Default: a market order. */
  readonly percent?: number;
  readonly marginMode?: "crossed" | "isolated";
  readonly posSide?: "long" | "short";
  readonly reduceOnly?: boolean;
  /** As a fraction of the usual quantity. */
  readonly share?: string;
}

/** Acts for one user of the sandbox, without the gateway. */
export class Actor {
  constructor(
    private readonly world: Sandbox["world"],
    private readonly uid: string,
  ) {}

  /** Opens the account with its coins. */
  open(mode: Mode, now: number): void {
    const { accounts, ledger } = this.world.state;
    accounts.open({ uid: this.uid, mode, createdTime: now });
    for (const [kind, coins] of HELD[mode])
      for (const [coin, amount] of Object.entries(coins))
        ledger.move(houseWallet("chain"), walletOf(this.uid, kind), coin, exact(amount), causeOf("deposit"));
  }

  spot(side: "buy" | "sell", percent?: number): void {
    const order = { uid: this.uid, category: "SPOT", symbol: "BTCUSDT", side, quantity: exact("0.003") } as const;
    if (percent === undefined) this.world.orders.place({ ...order, orderType: "market" });
    else this.world.orders.place({ ...order, orderType: "limit", price: this.#price("SPOT", "BTCUSDT", percent) });
  }

  order(contract: Contract, { percent, side = "buy", share = "1", ...terms }: OrderTerms = {}): void {
    const { category, symbol, qty } = CONTRACTS[contract];
    const order = { uid: this.uid, category, symbol, side, quantity: exact(qty).times(share), ...terms } as const;
    if (percent === undefined) this.world.orders.place({ ...order, orderType: "market" });
    else this.world.orders.place({ ...order, orderType: "limit", price: this.#price(category, symbol, percent) });
  }

  hedge(): void {
    this.world.settings.setHoldMode(this.uid, "hedge_mode");
  }

  leverage(contract: Contract, leverage: number): void {
    const { category, symbol } = CONTRACTS[contract];
    this.world.settings.setLeverage({ uid: this.uid, category, symbol }, { crossed: leverage, long: leverage, short: leverage });
  }

  /** Sells more of a coin than the account has. */
  borrow(quantity: string): void {
    const order = { uid: this.uid, category: "MARGIN", symbol: "ETHUSDT", side: "sell", orderType: "market" } as const;
    this.world.orders.place({ ...order, quantity: exact(quantity) });
  }

  /** Raises the cost of the account's positions by a share. */
  lose(share: string): void {
    for (const position of this.world.state.positions.open(this.uid))
      Object.assign(position, { cost: position.cost.times(exact("1").plus(share)).round(2) });
  }

  trigger(): void {
    const futures = { category: "USDT-FUTURES", symbol: "ETHUSDT" } as const;
    const order = { uid: this.uid, ...futures, side: "buy", orderType: "market", quantity: exact("0.1") } as const;
    const triggerPrice = this.#price(futures.category, futures.symbol, 20);
    this.world.plans.placeEntry({ kind: "normal_plan", triggerPrice, triggerBy: "market", order });
  }

  /** Strategy orders that wait for a price far away, on spot and futures. */
  strategies(): void {
    const spot = { uid: this.uid, category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "market" } as const;
    const [low, high] = [this.#price("SPOT", "BTCUSDT", -4).toFixed(), this.#price("SPOT", "BTCUSDT", 20).toFixed()];
    const oco = { ocoLimitPrice: low, ocoTriggerPrice: high };
    this.world.strategies.place({ strategy: { kind: "oco", params: oco }, order: { ...spot, quantity: exact("0.02") } });
    const order = { ...spot, category: "USDT-FUTURES", quantity: exact("0.6") } as const;
    const triggerPrice = this.#price("USDT-FUTURES", "BTCUSDT", 20).toFixed();
    const twap = { duration: 10, interval: "10", twapTriggerPrice: triggerPrice } as const;
    this.world.strategies.place({ strategy: { kind: "twap", params: twap }, order });
  }

  takeProfit(contract: Contract): void {
    const { category, symbol } = CONTRACTS[contract];
    const triggerPrice = this.#price(category, symbol, 20);
    const tpsl = [{ role: "takeProfit", triggerPrice, triggerBy: "mark" }] as const;
    this.world.plans.placeTpsl({ uid: this.uid, category, symbol, side: "long", kind: "pos_profit", tpsl });
  }

  /** The market price moved by a percentage, on the grid. */
  #price(category: ProductCategory, symbol: string, percent: number): Exact {
    const { markets } = this.world.state;
    const { listing } = markets.of(category, symbol);
    return listing.grid.price(Math.floor((listing.steps(markets.tick) * (100 + percent)) / 100));
  }
}

const KINDS = ["usdt", "usdc", "coin"] as const;

const statesOf = (mode: Mode): readonly Omit<AccountState, "mode">[] => [
  {
    // Cross positions and orders of the other kinds are part of the states below.
    name: "orders on spot and coin futures",
    begin(account) {
      account.spot("buy", -10);
      account.spot("sell", 10);
      account.order("coin", { percent: -10 });
    },
  },
  {
    name: "isolated short positions",
    begin(account) {
      for (const kind of ["usdt", "coin"] as const) account.order(kind, { marginMode: "isolated", side: "sell" });
    },
  },
  {
    name: "positions with opening and closing orders",
    begin(account) {
      for (const kind of KINDS) {
        account.order(kind);
        account.order(kind, { percent: -10 });
        account.order(kind, { side: "sell", percent: 10, reduceOnly: true, share: "0.5" });
      }
    },
  },
  {
    name: "both sides in hedge mode",
    begin(account) {
      account.hedge();
      for (const kind of KINDS) {
        account.order(kind, { posSide: "long" });
        account.order(kind, { posSide: "short", side: "sell", share: "0.4" });
        account.order(kind, { posSide: "long", percent: -10 });
      }
    },
  },
  {
    name: "a borrowed coin and a position",
    begin(account) {
      account.borrow(mode === "unified" ? "6" : "1");
      account.order("usdt");
    },
  },
  {
    name: "trigger orders",
    begin(account) {
      account.trigger();
      account.order("usdt");
      account.takeProfit("usdt");
    },
  },
  ...(mode === "unified"
    ? [
        {
          name: "strategy orders",
          begin(account: Actor) {
            account.order("usdt");
            account.strategies();
          },
        },
      ]
    : []),
  {
    name: "cross positions under water",
    begin(account) {
      for (const kind of KINDS) account.order(kind);
      account.lose("0.4");
    },
  },
  {
    name: "isolated positions under water",
    begin(account) {
      for (const kind of KINDS) {
        account.leverage(kind, 2);
        account.order(kind, { marginMode: "isolated" });
      }
      account.lose("0.3");
    },
  },
];

const TRADERS: readonly Omit<AccountState, "mode">[] = [
  { name: "trades on spot", eachMinute: (account) => account.spot("sell") },
  ...(["usdt", "coin"] as const).map((kind) => ({
    name: `trades ${kind} futures beside other positions`,
    begin(account: Actor) {
      for (const one of KINDS) account.order(one);
    },
    eachMinute: (account: Actor) => account.order(kind, { share: "0.5" }),
  })),
];

/** Every state that the sandbox can put an account into, as far as queries are answered from it. */
export const ACCOUNT_STATES: readonly AccountState[] = [
  { name: "main as seeded", mode: "unified", uid: MAIN_UID },
  { name: "classic as seeded", mode: "classic", uid: CLASSIC_UID },
  ...(["unified", "classic"] as const).flatMap((mode) =>
    [...statesOf(mode), ...TRADERS].map((state) => ({ ...state, mode, name: `${mode}, ${state.name}` })),
  ),
];
