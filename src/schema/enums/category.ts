import { FUTURES_CATEGORIES, FUTURES_PRODUCT_TYPES, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { closedEnum, type EnumValueOf, openEnumWithInput } from "./exchangeEnum.js";

export const FUTURES_MEANINGS = {
  "USDT-FUTURES": "Futures margined and settled in USDT, such as BTCUSDT",
  "COIN-FUTURES": "Futures margined and settled in their base coin, such as BTCUSD",
  "USDC-FUTURES": "Futures margined and settled in USDC, such as BTCPERP",
} as const;

export const [ProductCategory, ProductCategoryInput] = openEnumWithInput(
  "ProductCategory",
  PRODUCT_CATEGORIES,
  "Kind of product that a symbol is traded as (`category`)",
  {
    SPOT: "Coins against coins, delivered at once",
    MARGIN: "Spot with borrowed coins; it uses the order books of spot",
    ...FUTURES_MEANINGS,
  },
);
export type ProductCategory = EnumValueOf<typeof ProductCategory>;
export type ProductCategoryInput = EnumValueOf<typeof ProductCategoryInput>;

const categories: ReadonlyMap<string, ProductCategoryInput> = new Map(Object.entries(ProductCategoryInput));
/** The category of an enum value; undefined for any other value. */
export const categoryNamed = (value: unknown): ProductCategoryInput | undefined =>
  typeof value === "string" ? categories.get(value) : undefined;

export const [FuturesCategory, FuturesCategoryInput] = openEnumWithInput(
  "FuturesCategory",
  FUTURES_CATEGORIES,
  "Futures by the coin of the margin (`category`; Classic: `productType`)",
  FUTURES_MEANINGS,
);
export type FuturesCategoryInput = EnumValueOf<typeof FuturesCategoryInput>;

export const FuturesProductType = closedEnum(
  "FuturesProductType",
  FUTURES_PRODUCT_TYPES,
  "`productType` of Classic futures: the three categories and their demo twins",
  {
    ...FUTURES_MEANINGS,
    "SUSDT-FUTURES": "Demo twin of USDT_FUTURES",
    "SCOIN-FUTURES": "Demo twin of COIN_FUTURES",
    "SUSDC-FUTURES": "Demo twin of USDC_FUTURES",
  },
);
export type FuturesProductType = EnumValueOf<typeof FuturesProductType>;
