import { SUB_ACCOUNT_ASSET_TYPES, SUB_ACCOUNT_STATUSES } from "@exchange-graph/contract/broker";
import { closedEnum, type EnumValueOf, openEnumWithInput } from "./exchangeEnum.js";

export const SubAccountAssetType = closedEnum(
  "SubAccountAssetType",
  SUB_ACCOUNT_ASSET_TYPES,
  "Which coins of a sub-account to list",
  {
    hold_only: "Coins with a balance",
    all: "All coins",
  },
);
export type SubAccountAssetType = EnumValueOf<typeof SubAccountAssetType>;

export const [, SubAccountStatusInput] = openEnumWithInput(
  "SubAccountStatus",
  SUB_ACCOUNT_STATUSES,
  "State of a broker's sub-account",
  {
    normal: "It is in use",
    freeze: "Frozen by the broker",
    del: "Deleted; cannot be restored",
  },
  { del: "DELETED" },
);
