import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { classicContracts, instruments } from "@exchange-graph/contract/instrument";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { loanCoins } from "@exchange-graph/contract/loan";
import { discountRates } from "@exchange-graph/contract/market";
import { marginPairs, type SpotSymbol, spotSymbols } from "@exchange-graph/contract/pair";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import type { Reader } from "../reader/reader.js";
import { isFuturesCategory } from "./categories.js";

/**
 * Computes a value from an answer once for all requests that share the cached answer. `more` must be the same for the same answer,
 * such as the category of a list.
 */
export function oncePerAnswer<A extends object, M extends readonly unknown[], D extends object>(
  work: (answer: A, ...more: M) => D,
): (answer: A, ...more: M) => D {
  const done = new WeakMap<A, D>();
  return (answer, ...more) => {
    const cached = done.get(answer);
    if (cached !== undefined) return cached;
    const result = work(answer, ...more);
    done.set(answer, result);
    return result;
  };
}

/** Maximum number of names in one list. */
const MAX_NAMES = 1_000;

/** Names that select rows of a list; without them all rows. */
export type Names = readonly string[] | null | undefined;

/** Name of a row whose name is unknown. */
const UNNAMED = "";

/** The indexes of each name in a list. */
const placesByName = oncePerAnswer((_rows: readonly unknown[], namesOfRows: () => readonly string[]) => {
  const places = new Map<string, number[]>();
  namesOfRows().forEach((name, at) => {
    const place = places.get(name);
    if (place === undefined) places.set(name, [at]);
    else place.push(at);
  });
  return places;
});

/**
 * Keeps the rows with one of the names; all of them without names. Letter case does not matter. A row that could not be decoded
 * is kept unless its identifier, which usually is its name (`isId`), is another one.
 */
export function named<R>(
  rows: readonly Row<R>[],
  nameOf: (row: R) => string,
  argument: string,
  names: Names,
  isId = true,
): readonly Row<R>[] {
  if (names === undefined || names === null) return rows;
  if (names.length > MAX_NAMES) throw badInput([{ argument, rule: `must not have more than ${MAX_NAMES} entries` }]);
  const places = placesByName(rows, () =>
    rows.map((row) => inCapitals(isRead(row) ? nameOf(row) : ((isId ? row.rowId : undefined) ?? UNNAMED))),
  );
  const wanted: number[] = [...(places.get(UNNAMED) ?? [])];
  for (const name of names) wanted.push(...(places.get(name) ?? places.get(inCapitals(name)) ?? []));
  return ascending(wanted).flatMap((at) => rows[at] ?? []);
}

/** The distinct indexes in ascending order; they usually are already. */
function ascending(places: readonly number[]): readonly number[] {
  const isAscending = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
  return isAscending ? places : [...new Set(places)].sort((a, b) => a - b);
}

const coinsOf = oncePerAnswer((pairs: readonly Row<Pick<SpotSymbol, "baseCoin" | "quoteCoin">>[]) => ({
  count: new Set(rowsRead(pairs).flatMap(({ baseCoin, quoteCoin }) => [baseCoin, quoteCoin])).size,
}));

type DiscountRates = typeof discountRates extends Endpoint<ParameterSet, infer D> ? D : never;
const mostTiers = oncePerAnswer((rates: DiscountRates) => ({
  count: Math.max(0, ...rates.map((rate) => (isRead(rate) ? rate.tiers.length : 0))),
}));

type Kept = <P extends ParameterSet, D>(endpoint: Endpoint<P, D>, values: Values<P>, account?: ExchangeAccount) => D | undefined;

type Count = (
  kept: Kept,
  of: { readonly category: ProductCategory | undefined; readonly signer: ExchangeAccount | undefined },
) => number | undefined;

/** Numbers of rows of lists whose answers are cached for minutes; undefined for a list that is not cached. */
const COUNTS = {
  coins: (kept) => {
    const pairs = kept(spotSymbols, {}) ?? kept(instruments, { category: "SPOT" });
    return pairs && coinsOf(pairs).count;
  },
  contracts: (kept, { category }) =>
    category && isFuturesCategory(category) ? kept(classicContracts, { productType: category })?.length : undefined,
  instruments: (kept, { category }) => category && kept(instruments, { category })?.length,
  spotSymbols: (kept) => kept(spotSymbols, {})?.length,
  marginPairs: (kept, { signer }) => kept(marginPairs, {}, signer)?.length,
  discountRates: (kept) => kept(discountRates, {})?.length,
  discountTiers: (kept) => {
    const rates = kept(discountRates, {});
    return rates && mostTiers(rates).count;
  },
  loanCoins: (kept) => kept(loanCoins, {})?.loanCoins.length,
  pledgeCoins: (kept) => kept(loanCoins, {})?.pledgeCoins.length,
} satisfies Record<string, Count>;
export type KeptList = keyof typeof COUNTS;

/**
 * Number of rows of a list that is in memory and stays there for this many milliseconds; undefined otherwise, or if it is not
 * known synchronously. No upstream call. `category`: for instruments only.
 */
export function keptRows(
  { reader, signer }: { readonly reader: Pick<Reader, "kept" | "prepare">; readonly signer: ExchangeAccount | undefined },
  list: KeptList,
  category: ProductCategory | undefined,
  forMs: number,
): number | undefined {
  const kept: Kept = (endpoint, values, account) => reader.kept(reader.prepare(endpoint, values, account), forMs);
  return COUNTS[list](kept, { category, signer });
}
