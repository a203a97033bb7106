import { closedEnum, type WordOf } from "./exchangeEnum.js";

export const BookDepth = closedEnum("BookDepth", ["L1", "L5", "L15", "L50", "FULL"], {
  description: "How many levels of each side a book shows",
  meanings: {
    L1: "The best level",
    L5: "Five levels",
    L15: "Fifteen levels",
    L50: "Fifty levels",
    FULL: "All that the exchange sends",
  },
});
export type BookDepth = WordOf<typeof BookDepth>;
