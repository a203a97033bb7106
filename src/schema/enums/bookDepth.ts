import { closedEnum, type WordOf } from "./exchangeEnum.js";

export const BookDepth = closedEnum(
  "BookDepth",
  ["L1", "L5", "L15", "L50", "FULL"],
  "Number of levels per side of an order book",
  {
    L1: "The best level",
    L5: "Five levels",
    L15: "Fifteen levels",
    L50: "Fifty levels",
    FULL: "All levels that the exchange sends",
  },
);
export type BookDepth = WordOf<typeof BookDepth>;
