import { closedEnum, type WordOf } from "./exchangeEnum.js";

export const AccountMode = closedEnum("AccountMode", ["CLASSIC", "UNIFIED"], {
  description: "Which of the exchange's two generations an account lives in",
  meanings: {
    CLASSIC: "Separate spot, margin and futures accounts (v2)",
    UNIFIED: "One unified trading account, UTA, with several coins as shared margin (v3)",
  },
});
export type AccountMode = WordOf<typeof AccountMode>;
