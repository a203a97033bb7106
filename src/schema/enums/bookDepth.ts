import { type EnumValueOf, ownEnum } from "./exchangeEnum.js";

export const BookDepth = ownEnum("BookDepth", "Number of levels per side of an order book", {
  L1: "The best level",
  L5: "Five levels",
  L15: "Fifteen levels",
  L50: "Fifty levels",
  FULL: "All levels that the exchange sends",
});
export type BookDepth = EnumValueOf<typeof BookDepth>;
