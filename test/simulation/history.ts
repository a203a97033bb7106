import type { LineFaults } from "./line.js";
import { type Random, streamOf, unit } from "./random.js";

/** Accounts of the gateway: two names with keys of their own for each of two users of the exchange. */
export const ACCOUNTS = ["main", "main2", "classic", "classic2"] as const;
export type AccountName = (typeof ACCOUNTS)[number];
export const CLIENTS = ["token:alice", "token:bob"] as const;
export type ClientName = (typeof CLIENTS)[number];

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
  /** A market order with a price, as a fraction of the last one. */
  readonly marketPrice: number | undefined;
}

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
  | { readonly kind: "trigger"; readonly client: ClientName; readonly account: AccountName; readonly order: OrderTerms }
  | { readonly kind: "takeProfit"; readonly client: ClientName; readonly account: AccountName; readonly pick: number }
  | { readonly kind: "convert"; readonly client: ClientName; readonly account: AccountName; readonly notional: number }
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
  | { readonly kind: "exchangeClock"; readonly skewMs: number }
  | { readonly kind: "kill"; readonly downMs: number }
  | { readonly kind: "line"; readonly faults: LineFaults; readonly forMs: number };

export interface Step {
  readonly id: number;
  /** Since the start, ms. */
  readonly at: number;
  /** Which of the replicas is asked. */
  readonly replica: number;
  readonly action: Action;
}

/** Which kinds of things happen in a history: a random part of all, so that each also happens without the others. */
export interface Profile {
  readonly replicas: 1 | 2;
  /** Limits by kind, as text of an amount in USDT; coins at the same value, or none. */
  readonly limits: {
    readonly order: number | undefined;
    readonly open: number | undefined;
    readonly day: number | undefined;
    readonly inCoins: boolean;
    /** Who has them: the accounts, the clients, or both. */
    readonly of: "accounts" | "clients" | "both";
    /** Whether only the first name of each user has them. */
    readonly isOneNamed: boolean;
  };
  readonly happens: ReadonlySet<Happening>;
}

const HAPPENINGS = {
  faults: 0.4,
  kills: 0.35,
  halts: 0.4,
  modes: 0.25,
  app: 0.35,
  renames: 0.2,
  clocks: 0.15,
  bursts: 0.12,
  pricedMarkets: 0.2,
  conversions: 0.3,
} as const;
export type Happening = keyof typeof HAPPENINGS;

/** A history: everything that a run does is determined by it. */
export interface History {
  readonly seed: number;
  readonly minutes: number;
  readonly profile: Profile;
  readonly steps: readonly Step[];
}

/** Mean time between two actions of clients, and between two orders that are changed again and again. */
const EVERY_MS = 400;
const CHASE_EVERY_MS = 8_000;

/** Generates the history of a seed. */
export function historyOf(seed: number, minutes: number): History {
  const profile = profileOf(streamOf(seed, "profile"));
  const random = streamOf(seed, "workload");
  const operator = streamOf(seed, "operator");
  const faults = streamOf(seed, "faults");
  const steps: Omit<Step, "id">[] = [];
  const until = minutes * 60_000;
  const add = (at: number, replica: number, actions: readonly Action[], gapMs = 400) => {
    for (const [place, action] of actions.entries()) steps.push({ at: at + place * gapMs, replica, action });
  };
  for (let at = 0; at < until; at += random.between(0, 2 * EVERY_MS))
    add(at, random.between(0, 1), clientActions(random, profile));
  for (let at = random.between(0, CHASE_EVERY_MS); at < until; at += random.between(0, 2 * CHASE_EVERY_MS))
    add(at, random.between(0, 1), chase(random, profile));
  const { happens } = profile;
  const nowAndThen = (happening: Happening, everyMs: number, stream: Random, make: () => readonly Action[], gapMs?: number) => {
    if (!happens.has(happening)) return;
    for (let at = stream.between(0, everyMs); at < until; at += stream.between(everyMs >> 1, everyMs * 2))
      add(at, stream.between(0, 1), make(), gapMs);
  };
  nowAndThen("halts", 20_000, operator, () => haltActions(operator), 6_000);
  nowAndThen("modes", 20_000, operator, () => modeActions(operator, happens.has("halts")));
  nowAndThen("renames", 40_000, operator, () => [renaming(operator)]);
  nowAndThen("clocks", 30_000, faults, () => [{ kind: "exchangeClock", skewMs: oneOf(faults, SKEWS) }]);
  nowAndThen("kills", 30_000, faults, () => [{ kind: "kill", downMs: faults.between(0, 8_000) }]);
  nowAndThen("faults", 15_000, faults, () => [lineFaults(faults)]);
  nowAndThen("bursts", 15_000, random, () => burst(random, profile), 1);
  steps.sort((one, other) => one.at - other.at);
  return { seed, minutes, profile, steps: steps.map((step, id) => ({ ...step, id })) };
}

const DAY = 86_400_000;
const SKEWS = [0, 0, 0, DAY, -DAY, 1_500, -1_500, 60_000] as const;

function oneOf<T>(random: Random, values: readonly T[]): T {
  const value = values[random.between(0, values.length - 1)];
  if (value === undefined) throw new RangeError("nothing to choose from");
  return value;
}

const between = (random: Random, min: number, max: number): number => min + unit(random.next()) * (max - min);

function profileOf(random: Random): Profile {
  const limit = (probability: number, min: number, max: number) => {
    const drawn = Math.round(between(random, min, max));
    return unit(random.next()) < probability ? drawn : undefined;
  };
  const isTwo = unit(random.next()) < 0.3;
  const limits = {
    order: limit(0.5, 800, 3_000),
    open: limit(0.5, 2_500, 6_000),
    day: limit(0.6, 4_000, 12_000),
    inCoins: random.oneIn(3),
    of: oneOf(random, ["accounts", "clients", "both"] as const),
    isOneNamed: random.oneIn(12),
  };
  const happens = Object.entries(HAPPENINGS).filter(([, probability]) => unit(random.next()) < probability);
  return { replicas: isTwo ? 2 : 1, limits, happens: new Set(happens.map(([name]) => name as Happening)) };
}

function orderTerms(random: Random, { happens }: Profile): OrderTerms {
  const isMarket = random.oneIn(4);
  const where = unit(random.next());
  const marketPrice = isMarket && happens.has("pricedMarkets") && random.oneIn(3) ? between(random, 0.0001, 0.9) : undefined;
  return {
    market: oneOf(random, MARKETS),
    side: oneOf(random, ["buy", "sell"] as const),
    isMarket,
    notional: marketPrice === undefined ? between(random, 50, 2_000) : between(random, 500, 8_000),
    distance: where < 0.5 ? 0 : where < 0.8 ? between(random, 0.005, 0.04) : between(random, -0.04, 0.005),
    isReduceOnly: random.oneIn(6),
    posSide: oneOf(random, ["long", "short"] as const),
    marketPrice,
  };
}

function clientActions(random: Random, profile: Profile): readonly Action[] {
  const client = oneOf(random, CLIENTS);
  const account = oneOf(random, ACCOUNTS);
  const pick = random.next();
  const drawn = unit(random.next());
  const order = orderTerms(random, profile);
  const factor = oneOf(random, [0.5, 1, 1, 1.5, 3]);
  if (drawn < 0.42) return [{ kind: "place", client, account, order }];
  if (drawn < 0.6) return [{ kind: "modify", client, account, pick, factor, distance: order.distance }];
  if (drawn < 0.7) return [{ kind: "cancel", client, account, pick }];
  if (drawn < 0.86) return [{ kind: "meet", account, pick, share: between(random, 0.1, 1) }];
  if (drawn < 0.89) return [{ kind: "trigger", client, account, order }];
  if (drawn < 0.92) return [{ kind: "takeProfit", client, account, pick }];
  if (drawn < 0.95 && profile.happens.has("conversions")) return [{ kind: "convert", client, account, notional: order.notional }];
  if (drawn < 0.97 && profile.happens.has("app")) return [{ kind: "appTrigger", account, order }];
  return [{ kind: "dryRun", client, account, order }];
}

/** An order that is changed again and again, perhaps between executions of a part of it. */
function chase(random: Random, profile: Profile): readonly Action[] {
  const client = oneOf(random, CLIENTS);
  const account = oneOf(random, ACCOUNTS);
  const isFilled = random.oneIn(2);
  const distance = isFilled ? 0 : between(random, 0.01, 0.04);
  const order: OrderTerms = {
    ...orderTerms(random, profile),
    distance,
    isMarket: false,
    marketPrice: undefined,
    isReduceOnly: false,
  };
  const modify: Action = { kind: "modify", client, account, pick: 0, factor: 1, distance };
  const meet: Action = { kind: "meet", account, pick: 0, share: between(random, 0.2, 0.95) };
  const again = isFilled ? [meet, modify] : [modify];
  return [{ kind: "place", client, account, order }, ...Array.from({ length: random.between(2, 5) }, () => again).flat()];
}

function haltActions(random: Random): readonly Action[] {
  const account = random.oneIn(4) ? null : oneOf(random, ACCOUNTS);
  const halt: Action = { kind: "halt", account, cancelOpen: random.oneIn(2) };
  const resume: Action = { kind: "resume", account };
  return random.oneIn(4) ? [halt] : [halt, resume];
}

const OTHER_NAME: Readonly<Record<AccountName, AccountName>> = {
  main: "main2",
  main2: "main",
  classic: "classic2",
  classic2: "classic",
};

/** One name learns the position mode, which then changes by way of the other name or the app; perhaps trading is halted. */
function modeActions(random: Random, mayHalt: boolean): readonly Action[] {
  const account = oneOf(random, ACCOUNTS);
  const [client, isHedged] = [oneOf(random, CLIENTS), random.oneIn(2)];
  const market = oneOf(random, MARKETS.slice(4));
  const terms = { market, isMarket: true, notional: 100, distance: 0, marketPrice: undefined } as const;
  const [side, posSide] = [oneOf(random, ["buy", "sell"] as const), oneOf(random, ["long", "short"] as const)];
  const order: OrderTerms = { ...terms, side, posSide, isReduceOnly: true };
  const change: Action = random.oneIn(3)
    ? { kind: "appHoldMode", account, isHedged }
    : { kind: "holdMode", client, account: OTHER_NAME[account], isHedged };
  const halt: readonly Action[] = mayHalt ? [{ kind: "halt", account, cancelOpen: false }] : [];
  return [
    { kind: "appFlatten", account },
    { kind: "dryRun", client, account, order: { ...order, isReduceOnly: false } },
    change,
    ...halt,
    { kind: "place", client, account, order },
  ];
}

function renaming(random: Random): Action {
  return { kind: "rename", account: oneOf(random, ACCOUNTS), to: random.oneIn(2) ? oneOf(random, ACCOUNTS) : undefined };
}

function lineFaults(random: Random): Action {
  const some = () => (random.oneIn(2) ? between(random, 0.01, 0.2) : 0);
  const faults: LineFaults = {
    ...{ reset: some(), lost: some(), badGateway: some(), throttled: some(), truncated: some(), late: some() },
    delayMs: oneOf(random, [50, 2_000, 15_000, 40_000]),
  };
  return { kind: "line", faults, forMs: random.between(500, 12_000) };
}

/** More orders at once than the exchange takes in a second; perhaps their symbol is forbidden while they wait. */
function burst(random: Random, profile: Profile): readonly Action[] {
  const client = oneOf(random, CLIENTS);
  const account = oneOf(random, ACCOUNTS);
  const terms = orderTerms(random, profile);
  const order: OrderTerms = {
    ...terms,
    notional: 20,
    distance: 0.03,
    isReduceOnly: false,
    isMarket: false,
    marketPrice: undefined,
  };
  const other = random.oneIn(2) ? OTHER_NAME[account] : account;
  const orders = Array.from(
    { length: 24 },
    (_, at): Action => ({
      ...{ kind: "place", client, order },
      account: at % 2 === 0 ? account : other,
    }),
  );
  return random.oneIn(3) ? [...orders, { kind: "forbid", market: order.market }] : orders;
}
