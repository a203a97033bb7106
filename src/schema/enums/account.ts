import { ACCOUNT_LEVELS, ACCOUNT_MODES, TRADER_TYPES, UNIFIED_ASSET_MODES } from "@exchange-graph/contract/account";
import { ASSET_MODES } from "@exchange-graph/contract/futuresAccount";
import { type EnumValueOf, openEnum, ownEnum } from "./exchangeEnum.js";

export const AccountMode = ownEnum("AccountMode", "Account mode: which of the exchange's two kinds of account it is", {
  CLASSIC: "Separate spot, margin and futures accounts",
  UNIFIED: "One unified trading account, UTA, with several coins as shared margin",
});
export type AccountMode = EnumValueOf<typeof AccountMode>;

openEnum(
  "UnifiedAccountMode",
  ACCOUNT_MODES,
  "`accountMode` of a unified account: its mode, or the change of mode that is under way",
  {
    unified: "It is unified altogether",
    hybrid: "It is unified in part",
    upgrading: "It is being upgraded from a Classic account",
    switching: "It is going back to a Classic account",
  },
);

openEnum("AccountLevel", ACCOUNT_LEVELS, "`accountLevel` of a unified account", {
  basic: "Spot, and futures with one margin coin each",
  advanced: "Several coins together as margin",
  isolated: "Isolated margin only",
  delta: "Margin by the account's net exposure",
});

openEnum("UnifiedAssetMode", UNIFIED_ASSET_MODES, "`assetMode` of a unified account: which assets count as margin", {
  multi_assets: "Several coins, each counted at its discount rate",
  union: "Several coins in union, an older word for the same",
});

export const TraderType = openEnum("TraderType", TRADER_TYPES, "Whether others copy the account's trades (`traderType`)", {
  trader: "A copy-trading trader, with lower limits for placing orders",
  not_trader: "An ordinary account",
});

openEnum("FuturesAssetMode", ASSET_MODES, "Which coins count as margin in a Classic futures account", {
  single: "The margin coin only",
  union: "Several coins together, each counted at its discount rate",
});
