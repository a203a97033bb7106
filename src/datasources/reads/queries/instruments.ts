import { type DecimalText, exact, plain } from "@exchange-graph/contract/decimal";
import { classicContracts, type Instrument, instruments } from "@exchange-graph/contract/instrument";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { SpotSymbol } from "@exchange-graph/contract/pair";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import {
  type FuturesCategory,
  type FuturesProductType,
  PRODUCT_CATEGORIES,
  type ProductCategory,
} from "@exchange-graph/contract/vocabulary";
import { WireError } from "@exchange-graph/contract/wireError";
import type { AccountMode } from "../../calls/index.js";
import { unknownSymbol, unreadFault } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";
import { inEach, isDemoProductType, isFuturesCategory, type Listed } from "./categories.js";
import { type Names, named, oncePerAnswer } from "./keptLists.js";
import { readSpotSymbols } from "./reference.js";
import { type SymbolIndex, symbolIndex } from "./symbolLoader.js";

export type ListedInstrument = Listed<Instrument, ProductCategory>;

/** The step for a number of decimals: 2 is 0.01. */
export const stepOf = (decimals: number | null): DecimalText | null =>
  decimals === null ? null : plain(exact(`1e-${decimals}`));

const listed = oncePerAnswer((rows: readonly Row<Instrument>[], category: ProductCategory): readonly Row<ListedInstrument>[] =>
  mapRows(rows, (row) =>
    isFuturesCategory(category)
      ? { ...row, category }
      : {
          ...row,
          category,
          priceMultiplier: row.priceMultiplier ?? stepOf(row.pricePrecision),
          quantityMultiplier: row.quantityMultiplier ?? stepOf(row.quantityPrecision),
        },
  ),
);

/** The instruments of a category, or of all. The whole list is read and cached, so one call serves all queries for it. */
export const readInstruments = (reads: Reads, category: ProductCategory | null | undefined, symbols?: Names) =>
  inEach(category, PRODUCT_CATEGORIES, async (one) =>
    named(listed(await reads.read(instruments, { category: one }), one), (row) => row.symbol, "symbols", symbols),
  );

/** Futures contracts from v2, which has their margin coins and position limits. */
export const readClassicContracts = (reads: Reads, category: FuturesCategory) =>
  reads.read(classicContracts, { productType: category });

/** The exchange also writes zero for no bound. */
const bound = (value: DecimalText | null): DecimalText | null => (value === null || /^0(?:\.0+)?$/.test(value) ? null : value);

const ofInstrument = (record: Instrument) => ({
  /** As the exchange writes it. */
  symbol: record.symbol,
  baseCoin: record.baseCoin,
  quoteCoin: record.quoteCoin,
  priceStep: bound(record.priceMultiplier) ?? stepOf(record.pricePrecision),
  qtyStep: bound(record.quantityMultiplier) ?? stepOf(record.quantityPrecision),
  /** For amounts of quote coin. */
  quoteStep: stepOf(record.quotePrecision),
  minQty: bound(record.minOrderQty),
  maxQty: bound(record.maxOrderQty),
  maxMarketQty: bound(record.maxMarketOrderQty),
  /** Minimum value, in quote coin. */
  minValue: bound(record.minOrderAmount),
  /** Maximum distance of a buy price above the market, and of a sell price below it, as fractions. */
  buyBand: bound(record.buyLimitPriceRatio),
  sellBand: bound(record.sellLimitPriceRatio),
  minLeverage: bound(record.minLeverage),
  maxLeverage: bound(record.maxLeverage),
  /** Possible margin coins; only Classic contracts have this. */
  marginCoins: record.supportMarginCoins ?? [],
});

/** The rules for orders in a symbol. `null`: the exchange sets no such bound. */
export type SymbolRules = Readonly<ReturnType<typeof ofInstrument>>;

const ofPair = (record: SpotSymbol): SymbolRules => ({
  symbol: record.symbol,
  baseCoin: record.baseCoin,
  quoteCoin: record.quoteCoin,
  priceStep: stepOf(record.pricePrecision),
  qtyStep: stepOf(record.quantityPrecision),
  quoteStep: stepOf(record.quotePrecision),
  minQty: bound(record.minTradeAmount),
  maxQty: bound(record.maxTradeAmount),
  maxMarketQty: null,
  // The minimum is in USDT for every quote coin; for other quote coins the exchange converts it, so it is not checked here.
  minValue: record.quoteCoin === "USDT" ? bound(record.minTradeUSDT) : null,
  buyBand: bound(record.buyLimitPriceRatio),
  sellBand: bound(record.sellLimitPriceRatio),
  minLeverage: null,
  maxLeverage: null,
  marginCoins: [],
});

const ofContract = (record: Instrument): SymbolRules => ({
  ...ofInstrument(record),
  minValue: record.quoteCoin === "USDT" ? bound(record.minOrderAmount) : null,
});

const instrumentRules = oncePerAnswer((rows: readonly Row<Instrument>[]) => symbolIndex(mapRows(rows, ofInstrument)));
const contractRules = oncePerAnswer((rows: readonly Row<Instrument>[]) => symbolIndex(mapRows(rows, ofContract)));
const pairRules = oncePerAnswer((rows: readonly Row<SpotSymbol>[]) => symbolIndex(mapRows(rows, ofPair)));

/** The rules of every symbol of a category, from the list of the account's mode. */
async function rulesIn(
  reads: Reads,
  mode: AccountMode,
  category: ProductCategory | FuturesProductType,
): Promise<SymbolIndex<SymbolRules>> {
  if (isDemoProductType(category)) return contractRules(await reads.read(classicContracts, { productType: category }));
  if (mode === "UNIFIED") return instrumentRules(await readInstruments(reads, category));
  if (isFuturesCategory(category)) return contractRules(await reads.read(classicContracts, { productType: category }));
  return pairRules(await readSpotSymbols(reads));
}

/**
 * The rules of a symbol; undefined if the exchange lists no symbols at all, as for some categories. Throws `BAD_USER_INPUT` for a
 * symbol that is not listed, and the error of a row that could not be decoded.
 */
export async function symbolRules(
  reads: Reads,
  mode: AccountMode,
  category: ProductCategory | FuturesProductType,
  symbol: string,
): Promise<SymbolRules | undefined> {
  const { rows, unnamed } = await rulesIn(reads, mode, category);
  const found = rows.get(inCapitals(symbol)) ?? unnamed ?? undefined;
  if (found instanceof WireError) throw unreadFault(found);
  if (found === undefined && rows.size > 0) throw unknownSymbol(category, symbol);
  return found;
}

/** The margin coin of a Classic futures order; if the contract does not have it, by the category. */
export function marginCoinOf(category: FuturesProductType, rules: SymbolRules | undefined): string {
  const [named] = rules?.marginCoins ?? [];
  if (named !== undefined) return inCapitals(named);
  return category === "COIN-FUTURES" || category === "SCOIN-FUTURES"
    ? inCapitals(rules?.baseCoin ?? "")
    : category.slice(0, category.indexOf("-"));
}
