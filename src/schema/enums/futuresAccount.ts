import { ASSET_MODES } from "@exchange-graph/contract/futuresAccount";
import { openEnum, type WordOf } from "./exchangeEnum.js";

export const FuturesAssetMode = openEnum("FuturesAssetMode", ASSET_MODES, {
  description: "Which coins stand as margin in a Classic futures account",
  meanings: {
    single: "The margin coin only",
    union: "Several coins together, each counted at its discount rate",
  },
});
export type FuturesAssetMode = WordOf<typeof FuturesAssetMode>;
