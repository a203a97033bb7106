import {
  futuresAccount,
  futuresAccountAsset,
  subAccountFuturesAsset,
  subAccountFuturesAssetsRecord,
} from "@exchange-graph/contract/futuresAccount";
import { Account } from "./account.js";
import { FuturesProductType } from "./enums/category.js";
import { of, partialListOf } from "./fields.js";
import { marginCoins } from "./listLengths.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("One coin in a Classic futures account")
class FuturesAccountAsset extends recordOf(futuresAccountAsset) {}

@RecordType("A Classic futures account: one per product type and margin coin", { implements: Node })
export class FuturesAccount extends extended(recordOf(futuresAccount, { without: ["assets"] }), {
  account: of(Account)("The account that it belongs to"),
  productType: of(FuturesProductType)("Futures category, by the coin of the margin"),
  assets: partialListOf(FuturesAccountAsset, marginCoins)("Assets of the account, by coin (`assetList`)"),
}) {}

@RecordType("A sub-account's futures account in one margin coin")
class SubAccountFuturesAsset extends recordOf(subAccountFuturesAsset) {}

@RecordType("The futures assets of one sub-account of a Classic master account", { implements: Node })
export class SubAccountFuturesAssets extends extended(recordOf(subAccountFuturesAssetsRecord, { without: ["assets"] }), {
  account: of(Account)("The master account"),
  productType: of(FuturesProductType)("Futures category, by the coin of the margin"),
  assets: partialListOf(SubAccountFuturesAsset, marginCoins)("Its futures accounts, one per margin coin (`assetList`)"),
}) {}
