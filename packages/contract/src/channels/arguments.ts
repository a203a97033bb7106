import { FUTURES_CATEGORIES, type FuturesCategory, MARKET_CATEGORIES, type MarketCategory } from "../vocabulary.js";
import type { Argument } from "./channel.js";

/** Arguments of both API versions. */

/** A symbol of a category: the scope of most public channels. */
export interface Market {
  readonly category: MarketCategory;
  readonly symbol: string;
}

/** A futures category: the scope of a few channels. */
export interface FuturesMarket {
  readonly category: FuturesCategory;
}

/** A private channel that covers all of an account. */
export type Everything = Readonly<Record<never, never>>;

const EVERYTHING: Everything = {};

/** In v2's private arguments: all symbols, or all coins. */
const ALL = "default";

const categoryIn = <C extends string>(categories: readonly C[], { instType }: Argument): C | undefined =>
  categories.find((one) => one === instType?.toUpperCase());

const market = (argument: Argument, symbol: string | undefined): Market | undefined => {
  const category = categoryIn(MARKET_CATEGORIES, argument);
  return category === undefined || symbol === undefined || symbol === "" ? undefined : { category, symbol };
};

const futuresMarket = (argument: Argument): FuturesMarket | undefined => {
  const category = categoryIn(FUTURES_CATEGORIES, argument);
  return category === undefined ? undefined : { category };
};

/** v3 public: the product type in lower case. */
export const unifiedMarket = (topic: string) => ({
  apiVersion: "v3" as const,
  access: "public" as const,
  argument: ({ category, symbol }: Market): Argument => ({ instType: category.toLowerCase(), topic, symbol }),
  parameters: (argument: Argument): Market | undefined =>
    argument.topic === topic ? market(argument, argument.symbol) : undefined,
});

/** v3 public, about a whole product type. */
export const unifiedFutures = (topic: string) => ({
  apiVersion: "v3" as const,
  access: "public" as const,
  argument: ({ category }: FuturesMarket): Argument => ({ instType: category.toLowerCase(), topic }),
  parameters: (argument: Argument): FuturesMarket | undefined => (argument.topic === topic ? futuresMarket(argument) : undefined),
});

/** v3 private: one subscription covers all products. `UTA` has to be in capitals. */
export const unifiedAccount = (topic: string) => ({
  apiVersion: "v3" as const,
  access: "private" as const,
  argument: (): Argument => ({ instType: "UTA", topic }),
  parameters: (argument: Argument): Everything | undefined =>
    argument.instType === "UTA" && argument.topic === topic ? EVERYTHING : undefined,
});

/** v2 public: the product type in capitals. */
export const classicMarket = (channel: string) => ({
  apiVersion: "v2" as const,
  access: "public" as const,
  argument: ({ category, symbol }: Market): Argument => ({ instType: category, channel, instId: symbol }),
  parameters: (argument: Argument): Market | undefined =>
    argument.channel === channel ? market(argument, argument.instId) : undefined,
});

/** The scope of a v2 private channel: symbols, or coins. */
type Scope = "instId" | "coin";

/** v2 private, about spot. */
export const classicSpotAccount = (channel: string, scope: Scope) => ({
  apiVersion: "v2" as const,
  access: "private" as const,
  argument: (): Argument => ({ instType: "SPOT", channel, [scope]: ALL }),
  parameters: (argument: Argument): Everything | undefined =>
    argument.instType === "SPOT" && argument.channel === channel && argument[scope] === ALL ? EVERYTHING : undefined,
});

/** v2 private, about one futures product type; without a scope about all of it. */
export const classicFuturesAccount = (channel: string, scope?: Scope) => ({
  apiVersion: "v2" as const,
  access: "private" as const,
  argument: ({ category }: FuturesMarket): Argument => ({ instType: category, channel, ...(scope && { [scope]: ALL }) }),
  parameters: (argument: Argument): FuturesMarket | undefined =>
    argument.channel === channel && (scope === undefined || argument[scope] === ALL) ? futuresMarket(argument) : undefined,
});

/** v2's records are filed under the product type of the subscription and do not repeat it. */
export const inCategory = ({ category }: FuturesMarket) => ({ category });
