import { SUB_ACCOUNT_ASSET_TYPES, SUB_ACCOUNT_STATUSES } from "@exchange-graph/contract/broker";
import { closedEnum, openEnumWithInput, type WordOf } from "./exchangeEnum.js";

export const SubAccountAssetType = closedEnum("SubAccountAssetType", SUB_ACCOUNT_ASSET_TYPES, {
  description: "Which coins of a sub-account to list",
  meanings: {
    hold_only: "Coins that it holds",
    all: "Every coin, held or not",
  },
});
export type SubAccountAssetType = WordOf<typeof SubAccountAssetType>;

export const [, SubAccountStatusInput] = openEnumWithInput("SubAccountStatus", SUB_ACCOUNT_STATUSES, {
  description: "State of a broker's sub-account",
  names: { del: "DELETED" },
  meanings: {
    normal: "It is in use",
    freeze: "Frozen by the broker",
    del: "Deleted, for good",
  },
});
export type SubAccountStatusInput = WordOf<typeof SubAccountStatusInput>;
