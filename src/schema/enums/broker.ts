import { SUB_ACCOUNT_ASSET_TYPES } from "../../contract/broker.js";
import { closedEnum, type WordOf } from "./exchangeEnum.js";

export const SubAccountAssetType = closedEnum("SubAccountAssetType", SUB_ACCOUNT_ASSET_TYPES, {
  description: "Which coins of a sub-account to list",
  meanings: {
    hold_only: "Coins that it holds",
    all: "Every coin, held or not",
  },
});
export type SubAccountAssetType = WordOf<typeof SubAccountAssetType>;
