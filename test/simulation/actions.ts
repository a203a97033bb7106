import type { LivePolicy } from "../../src/datasources/streams/live/keeper.js";
import type { ApiVersion } from "../../src/datasources/streams/marketTopics.js";
import type { LineFaults } from "./line.js";
import type { SocketFault } from "./sockets.js";

/** Accounts of the gateway: two names with keys of their own for each of two users of the exchange. */
export const ACCOUNTS = ["main", "main2", "classic", "classic2"] as const;
export type AccountName = (typeof ACCOUNTS)[number];
export const CLIENTS = ["token:alice", "token:bob"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** What a client may do with an account: nothing, read it, or everything. */
export type AccountRights = "none" | "read" | "all";

export const MARKETS = [
  { category: "SPOT", symbol: "BTCUSDT" },
  { category: "SPOT", symbol: "ETHUSDT" },
  { category: "SPOT", symbol: "XRPUSDT" },
  { category: "MARGIN", symbol: "ETHUSDT" },
  { category: "USDT-FUTURES", symbol: "BTCUSDT" },
  { category: "USDT-FUTURES", symbol: "ETHUSDT" },
  { category: "USDT-FUTURES", symbol: "XRPUSDT" },
  { category: "USDC-FUTURES", symbol: "ETHPERP" },
  { category: "COIN-FUTURES", symbol: "BTCUSD" },
] as const;
export type MarketName = (typeof MARKETS)[number];

/** An order, in shares of what the moment of its placing allows. */
export interface OrderTerms {
  readonly market: MarketName;
  readonly side: "buy" | "sell";
  readonly isMarket: boolean;
  /** In USDT. */
  readonly notional: number;
  /** Distance of the limit price from the last price, as a fraction; towards the other side it crosses. */
  readonly distance: number;
  readonly isReduceOnly: boolean;
  readonly posSide: "long" | "short";
  /** A market order with a price, which it must not have, as a fraction of the last one. */
  readonly marketPrice: number | undefined;
}

/** Destinations of withdrawals: addresses that always are, at times are, and never are among those that the gateway allows. */
export const DESTINATIONS = [
  { dest: "ON_CHAIN", address: "TQ4cold" },
  { dest: "ON_CHAIN", address: "TQ4warm" },
  { dest: "INTERNAL_TRANSFER", address: "8800112244" },
  { dest: "ON_CHAIN", address: "TQ4thief" },
] as const;

/** A withdrawal from one of the broker's sub-accounts. */
export interface WithdrawalTerms {
  /** Names it: equal ones are one withdrawal. */
  readonly key: number;
  /** Whether the key is the client's identifier of it, or is known to the gateway alone. */
  readonly isNamed: boolean;
  readonly subAccount: number;
  readonly to: (typeof DESTINATIONS)[number];
  readonly coin: "USDT" | "TRX";
  readonly amount: string;
}

/** What can happen to a push of the exchange. */
export type PushFault =
  | { readonly kind: "skip" | "repeat" | "reorder" | "silent" | "drop" | "wrong-checksum" }
  | { readonly kind: "delay"; readonly delayMs: number };

/** What a listener subscribes to. */
export const TOPICS = ["orders", "fills", "positions", "balances", "ticker", "book"] as const;
export type Topic = (typeof TOPICS)[number];

/** Levels of a book per side, by depth. */
export const LEVELS = { L1: 1, L5: 5, L15: 15, L50: 50, FULL: Number.POSITIVE_INFINITY } as const;

/** A subscription of a client, which it keeps up for the whole run. */
export interface ListenerTerms {
  readonly client: ClientName;
  readonly topic: Topic;
  /** Of a private topic. */
  readonly accounts: readonly AccountName[];
  /** Of a public topic. */
  readonly market: MarketName;
  /** Of a book. Default: five levels. */
  readonly depth?: keyof typeof LEVELS;
  /** Whether an event may replace earlier ones. */
  readonly isLatest: boolean;
}

/** Settings of a gateway that concern its streams. */
export interface StreamSettings {
  readonly live: LivePolicy;
  readonly publicApi: ApiVersion;
}

/** What happens to streams. A client subscribes at the gateway with this place, and keeps it up; leaves and resumes; reads nothing. */
export type StreamAction =
  | { readonly kind: "listen"; readonly terms: ListenerTerms; readonly place: number }
  | { readonly kind: "hop"; readonly listener: number; readonly place: number; readonly awayMs: number }
  | { readonly kind: "sluggish"; readonly listener: number; readonly forMs: number }
  | { readonly kind: "sockets"; readonly fault: SocketFault }
  | { readonly kind: "pushes"; readonly fault: PushFault; readonly probability: number; readonly forMs: number };

/** What the servers that replicas share suffer, for a while or at once. */
export const ENGINE_FAULTS = [
  "redis empties",
  "redis is replaced",
  "redis is killed",
  "redis pauses",
  "redis cuts its connections",
  "database is killed",
  "database fails over",
  "database pauses",
  "database cuts its connections",
  "database has no free connection",
  "database's disk is full",
] as const;
export type EngineFault = (typeof ENGINE_FAULTS)[number];

/** What a client, an operator, the exchange's app or the world does. It refers to others by their place, so each may be left out. */
export type Action =
  | { readonly kind: "place"; readonly client: ClientName; readonly account: AccountName; readonly order: OrderTerms }
  | { readonly kind: "dryRun"; readonly client: ClientName; readonly account: AccountName; readonly order: OrderTerms }
  | {
      readonly kind: "modify";
      readonly client: ClientName;
      readonly account: AccountName;
      /** Which of the client's open orders of the account's user; 0 is the newest. */
      readonly pick: number;
      /** Factor of its quantity, and the distance of its new price. */
      readonly factor: number;
      readonly distance: number;
    }
  | { readonly kind: "cancel"; readonly client: ClientName; readonly account: AccountName; readonly pick: number }
  /** Several at once: new orders; the newest open orders; all open orders of a category; all positions of one. */
  | {
      readonly kind: "placeSeveral";
      readonly client: ClientName;
      readonly account: AccountName;
      readonly orders: readonly OrderTerms[];
    }
  | { readonly kind: "cancelSeveral"; readonly client: ClientName; readonly account: AccountName; readonly count: number }
  | { readonly kind: "cancelAll"; readonly client: ClientName; readonly account: AccountName; readonly market: MarketName }
  | { readonly kind: "closeAll"; readonly client: ClientName; readonly account: AccountName; readonly market: MarketName }
  /** A client without rights on an account reads it, and places an order there. */
  | { readonly kind: "intrude"; readonly account: AccountName; readonly order: OrderTerms }
  | { readonly kind: "trigger"; readonly client: ClientName; readonly account: AccountName; readonly order: OrderTerms }
  /** A trigger order that is reached within so many movements of the market. Those with equal keys are one. */
  | {
      readonly kind: "placePlan";
      readonly client: ClientName;
      readonly account: AccountName;
      readonly key: number;
      readonly order: OrderTerms;
      readonly reachedIn: number;
    }
  /** A change, or the cancel, of the client's `pick`-th trigger order of the account's user, one that has ended included. */
  | {
      readonly kind: "modifyPlan";
      readonly client: ClientName;
      readonly account: AccountName;
      readonly pick: number;
      readonly factor: number;
      readonly reachedIn: number;
    }
  | { readonly kind: "cancelPlan"; readonly client: ClientName; readonly account: AccountName; readonly pick: number }
  | { readonly kind: "takeProfit"; readonly client: ClientName; readonly account: AccountName; readonly pick: number }
  | { readonly kind: "convert"; readonly client: ClientName; readonly account: AccountName; readonly notional: number }
  | { readonly kind: "withdraw"; readonly client: ClientName; readonly terms: WithdrawalTerms }
  /** The dead man's switch of a unified account is armed; disarmed with 0. */
  | { readonly kind: "arm"; readonly client: ClientName; readonly account: AccountName; readonly seconds: number }
  /** The leverage of a futures symbol or the margin of a position is changed, in the way of the key; the margin mode. */
  | { readonly kind: "setting"; readonly client: ClientName; readonly key: number }
  | { readonly kind: "marginMode"; readonly client: ClientName; readonly account: AccountName; readonly isIsolated: boolean }
  /** The second destination is allowed from now on, or is not. */
  | { readonly kind: "allow"; readonly isAllowed: boolean }
  | { readonly kind: "holdMode"; readonly client: ClientName; readonly account: AccountName; readonly isHedged: boolean }
  | { readonly kind: "halt"; readonly account: AccountName | null; readonly cancelOpen: boolean }
  | { readonly kind: "resume"; readonly account: AccountName | null }
  /** The exchange's app: a trade with an open order, a trigger order, another position mode, the end of all orders and positions. */
  | { readonly kind: "meet"; readonly account: AccountName; readonly pick: number; readonly share: number }
  | { readonly kind: "appTrigger"; readonly account: AccountName; readonly order: OrderTerms }
  | { readonly kind: "appHoldMode"; readonly account: AccountName; readonly isHedged: boolean }
  | { readonly kind: "appFlatten"; readonly account: AccountName }
  | { readonly kind: "rename"; readonly account: AccountName; readonly to: AccountName | undefined }
  | { readonly kind: "forbid"; readonly market: MarketName }
  /** The amounts of the limits become so many times those of the profile. */
  | { readonly kind: "amounts"; readonly times: number }
  /** A client's token is revoked, or given again: in the gateway's copy of the file now, and later in those of the others. */
  | { readonly kind: "token"; readonly client: ClientName; readonly isGiven: boolean; readonly lagMs: number }
  /** A client gets these rights on an account, in one copy of the file after the other. */
  | {
      readonly kind: "rights";
      readonly client: ClientName;
      readonly account: AccountName;
      readonly rights: AccountRights;
      readonly lagMs: number;
    }
  | { readonly kind: "exchangeClock"; readonly skewMs: number }
  /** The clock of a gateway's machine is set. */
  | { readonly kind: "machineClock"; readonly byMs: number }
  | { readonly kind: "kill"; readonly downMs: number }
  /** The machine of a single gateway loses power: what its disk has not confirmed may be lost, too. */
  | { readonly kind: "power"; readonly downMs: number }
  /** The disk of the journal's file is full. */
  | { readonly kind: "disk"; readonly forMs: number }
  /** The exchange's app makes a unified account of a Classic one. It takes a minute, and ends all open orders. */
  | { readonly kind: "upgrade"; readonly account: AccountName }
  /** A replica stops after a signal, and starts again with these settings. */
  | { readonly kind: "restart"; readonly downMs: number; readonly settings: StreamSettings }
  /** A replica gets no time to run. */
  | { readonly kind: "pause"; readonly forMs: number }
  /** The exchange refuses everything. */
  | { readonly kind: "maintenance"; readonly forMs: number }
  /** An account gets another key of its user. */
  | { readonly kind: "rotate"; readonly account: AccountName }
  | { readonly kind: "read"; readonly client: ClientName; readonly account: AccountName }
  | StreamAction
  | { readonly kind: "engine"; readonly fault: EngineFault; readonly forMs: number }
  | { readonly kind: "line"; readonly faults: LineFaults; readonly forMs: number };

export interface Step {
  readonly id: number;
  /** Since the start, ms. */
  readonly at: number;
  /** Which of the replicas is asked. */
  readonly replica: number;
  readonly action: Action;
}

/** The other name of the same user. */
export const OTHER_NAME: Readonly<Record<AccountName, AccountName>> = {
  main: "main2",
  main2: "main",
  classic: "classic2",
  classic2: "classic",
};
