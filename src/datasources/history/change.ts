import { type DecimalText, type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { FINANCIAL_RECORD_KINDS } from "@exchange-graph/contract/financialRecordKinds";
import { z } from "zod";
import { decimal, type Point } from "./point.js";
import { type HeldCoin, netOf, POOLS } from "./sample.js";

const change = z.object({
  at: z.int(),
  pool: z.enum(POOLS),
  category: z.string(),
  coin: z.string(),
  amount: decimal,
  fee: decimal,
  kind: z.enum([...FINANCIAL_RECORD_KINDS, "UNKNOWN"]),
  type: z.string().nullable(),
  symbol: z.string().nullable(),
});
/** A change of a balance: `amount` without the fee, which is positive where it was paid. In the coin. */
export type MoneyChange = z.infer<typeof change>;

/** Purses that the equity does not contain: the funding account of a unified account, cross margin of a Classic one. */
export const PURSES_APART = ["FUNDING", "MARGIN"] as const;

/** A change as it is stored: with the balance after it, in the coin, if the exchange says it. */
const storedChange = change.extend({
  pool: z.enum([...POOLS, ...PURSES_APART]),
  // Null only in `PURSES_APART`; changes in other purses explain the equity.
  category: z.string().nullable(),
  fee: decimal.nullable(),
  balance: decimal.nullable().default(null),
});
export type StoredChange = z.infer<typeof storedChange>;

/** Decode a stored change. They throw on one that this version does not know. */
export const changeIn = (body: string): MoneyChange => change.parse(JSON.parse(body));
export const storedChangeIn = (body: string): StoredChange => storedChange.parse(JSON.parse(body));

/** Causes of a change of equity. The first five are no profit or loss: they are flows. */
export const FLOWS = ["deposits", "withdrawals", "transfers", "loans", "earn"] as const;
export const CAUSES = [
  ...FLOWS,
  ...(["trades", "fees", "funding", "interest", "other", "unrealised", "revaluation", "rounding", "unexplained"] as const),
] as const;
export type Cause = (typeof CAUSES)[number];

/** Why equity changed between two samples, in USDT, exact: `total` is the sum of all causes, and the difference of the equities. */
export type EquityChange = Readonly<Record<Cause | "total", DecimalText>>;

/** A change with its value in USDT at the end of its interval. */
export interface ValuedChange extends MoneyChange {
  /** Of one coin; zero if it has none. */
  readonly price: DecimalText;
}

const CAUSE_OF: Readonly<Record<MoneyChange["kind"], Cause | undefined>> = {
  deposit: "deposits",
  withdrawal: "withdrawals",
  transfer: "transfers",
  loan: "loans",
  earn: "earn",
  trade: "trades",
  liquidation: "trades",
  conversion: "trades",
  fee: "fees",
  funding: "funding",
  interest: "interest",
  // Borrowing changes balance and debt equally. The rest of the debt's change is interest.
  borrowing: undefined,
  reward: "other",
  copy_trading: "other",
  other: "other",
  UNKNOWN: "other",
};

/** The cause of a change without its fee. Interest of an earn product is income; what was put in and taken out is a flow. */
export const causeOf = ({ kind, type }: Pick<MoneyChange, "kind" | "type">): Cause | undefined =>
  kind === "earn" && type !== null && /interest/i.test(type) ? "interest" : CAUSE_OF[kind];

const ZERO = exact("0");
const keyOf = ({ pool, coin }: Pick<HeldCoin, "pool" | "coin">): string => `${pool} ${coin}`;

/** Amounts of a coin below this: the exchange cuts the figures that balances consist of at 8 decimals, and those of records later. */
const ROUNDING = exact("0.0000001");

/** A sample and a change of about the same time may be in either order: the exchange's time is an estimate. */
const MAX_SKEW_MS = 10_000;
/** Changes within this time of a sample may belong to either side of it, ms. */
export const AROUND_MS = 2 * MAX_SKEW_MS;

/** The changes of one coin in one pool, in the order of time, and where the next interval may begin in them: the likeliest first. */
interface Line {
  readonly changes: readonly MoneyChange[];
  starts: readonly number[];
}

/** A coin whose balance has changed otherwise than its records say, in the coin. */
interface UnexplainedCoin extends Pick<HeldCoin, "pool" | "coin"> {
  readonly recorded: Exact;
  readonly changed: Exact;
}

/** Why equity changed between two samples. */
interface Explanation {
  readonly change: EquityChange;
  readonly records: readonly ValuedChange[];
  readonly unexplained: readonly UnexplainedCoin[];
}

/**
 * Explains a curve by changes of balances: for each point after the first why equity has changed since the one before. A change
 * belongs to the interval in which its balance shows it.
 */
export function explained(points: readonly Point[], changes: readonly MoneyChange[]): readonly Explanation[] {
  const lines = new Map<string, Line>();
  const [first] = points;
  for (const [key, own] of grouped(changes)) lines.set(key, { changes: own, starts: placesNear(own, 0, first?.time ?? 0) });
  return points.slice(1).map((to, index) => between(points[index] ?? to, to, lines));
}

function grouped(changes: readonly MoneyChange[]): ReadonlyMap<string, readonly MoneyChange[]> {
  const lists = new Map<string, MoneyChange[]>();
  for (const one of changes) {
    const list = lists.get(keyOf(one));
    if (list === undefined) lists.set(keyOf(one), [one]);
    else list.push(one);
  }
  return lists;
}

function between(from: Point, to: Point, lines: ReadonlyMap<string, Line>): Explanation {
  const sums = Object.fromEntries([...CAUSES, "total"].map((cause) => [cause, ZERO])) as Record<Cause | "total", typeof ZERO>;
  const add = (cause: Cause | "total", amount: typeof ZERO): void => {
    sums[cause] = sums[cause].plus(amount);
  };
  const [before, after] = [byKey(from.coins), byKey(to.coins)];
  const records: ValuedChange[] = [];
  const unexplained: UnexplainedCoin[] = [];
  for (const key of new Set([...before.keys(), ...after.keys(), ...lines.keys()])) {
    const [was, is, line] = [before.get(key), after.get(key), lines.get(key)];
    const price = exact(is?.price ?? was?.price ?? "0");
    const [b0, b1] = [exact(was?.balance ?? "0"), exact(is?.balance ?? "0")];
    const [d0, d1] = [exact(was?.debt ?? "0"), exact(is?.debt ?? "0")];
    const [u0, u1] = [exact(was?.unrealisedPnl ?? "0"), exact(is?.unrealisedPnl ?? "0")];
    const p0 = exact(was?.price ?? "0");
    let left = b1.minus(b0);
    let repaid = d1.minus(d0);
    const span = line && spanOf(line, to.time, left);
    if (line !== undefined && span !== undefined) line.starts = [span.end];
    for (const change of line?.changes.slice(span?.start, span?.end) ?? []) {
      records.push({ ...change, price: plain(price) });
      const [amount, fee] = [exact(change.amount), exact(change.fee)];
      left = left.minus(amount).plus(fee);
      add("fees", fee.times(price).neg());
      const cause = causeOf(change);
      if (cause === undefined) repaid = repaid.minus(amount);
      else add(cause, amount.times(price));
    }
    add(left.abs().lt(ROUNDING) ? "rounding" : "unexplained", left.times(price));
    unexplained.push(...unexplainedIn(key, b1.minus(b0), left));
    add("interest", repaid.times(price).neg());
    add("unrealised", u1.times(price).minus(u0.times(p0)));
    add("revaluation", b0.minus(d0).times(price.minus(p0)));
    add(
      "total",
      exact(is === undefined ? "0" : netOf(is))
        .times(price)
        .minus(exact(was === undefined ? "0" : netOf(was)).times(p0)),
    );
  }
  const change = Object.fromEntries(Object.entries(sums).map(([cause, sum]) => [cause, plain(sum)])) as EquityChange;
  return { change, records, unexplained };
}

/** The coin with this key, if a part of the change of its balance stays unexplained. */
function unexplainedIn(key: string, changed: Exact, left: Exact): readonly UnexplainedCoin[] {
  const pool = POOLS.find((one) => key.startsWith(`${one} `));
  if (pool === undefined || left.abs().lt(ROUNDING)) return [];
  return [{ pool, coin: key.slice(pool.length + 1), recorded: changed.minus(left), changed }];
}

const byKey = (coins: readonly HeldCoin[]) => new Map(coins.map((coin) => [keyOf(coin), coin]));

/**
 * Possible ends, among the changes from `start` on, of an interval that ends at a time: the place of that time first, then places
 * ever further away.
 */
function placesNear(changes: readonly MoneyChange[], start: number, until: number): readonly number[] {
  let [first, end, last] = [start, start, start];
  for (let at = start; ; at++) {
    const next = changes[at]?.at ?? Number.POSITIVE_INFINITY;
    if (next <= until - MAX_SKEW_MS) first = at + 1;
    if (next <= until) end = at + 1;
    if (next > until + MAX_SKEW_MS) break;
    last = at + 1;
  }
  const places = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return places.sort((one, other) => Math.abs(one - end) - Math.abs(other - end));
}

/**
 * The range of the changes that explain how the balance has changed up to a time: those up to that time, or if these do not explain
 * it, a few more or fewer.
 */
function spanOf(
  { changes, starts }: Line,
  until: number,
  difference: typeof ZERO,
): { readonly start: number; readonly end: number } {
  const sumOf = (start: number, end: number) =>
    changes.slice(start, end).reduce((sum, { amount, fee }) => sum.plus(amount).minus(fee), ZERO);
  for (const start of starts)
    for (const end of placesNear(changes, start, until))
      if (end >= start && sumOf(start, end).minus(difference).abs().lt(ROUNDING)) return { start, end };
  const [start = 0] = starts;
  const [end = start] = placesNear(changes, start, until);
  return { start, end };
}

/** The changes before the second point that the balances of the first point already contain. */
export function changesBefore(first: Point, second: Point, changes: readonly MoneyChange[]): readonly MoneyChange[] {
  const [before, after] = [byKey(first.coins), byKey(second.coins)];
  return [...grouped(changes)].flatMap(([key, own]) => {
    const difference = exact(after.get(key)?.balance ?? "0").minus(before.get(key)?.balance ?? "0");
    const line = { changes: own, starts: placesNear(own, 0, first.time) };
    return own.slice(0, spanOf(line, second.time, difference).start);
  });
}

export const sumOfChanges = (changes: readonly EquityChange[]): EquityChange =>
  Object.fromEntries(
    [...CAUSES, "total" as const].map((cause) => [cause, plain(changes.reduce((sum, change) => sum.plus(change[cause]), ZERO))]),
  ) as EquityChange;

/** What came in from outside, less what left. */
export const flowOf = (change: EquityChange): DecimalText => plain(FLOWS.reduce((sum, flow) => sum.plus(change[flow]), ZERO));

/** The change of a sum by an account that enters it: its equity is a transfer, not a profit. */
export const broughtIn = (equity: DecimalText): EquityChange => ({
  ...(Object.fromEntries(CAUSES.map((cause) => [cause, "0"])) as EquityChange),
  transfers: equity,
  total: equity,
});
