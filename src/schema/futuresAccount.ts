import {
  futuresAccount,
  futuresAccountAsset,
  subAccountFuturesAsset,
  subAccountFuturesAssetsRecord,
} from "@exchange-graph/contract/futuresAccount";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { Cost } from "./cost.js";
import { FuturesProductType } from "./enums/category.js";
import { marginCoins } from "./listLengths.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("One coin in a Classic futures account")
class FuturesAccountAsset extends recordOf(futuresAccountAsset) {}

@RecordType("A Classic futures account: one per product type and margin coin", { implements: Node })
export class FuturesAccount extends recordOf(futuresAccount, { without: ["assets"] }) {
  @Field(() => Account, { description: "The account that it belongs to" })
  readonly account!: Account;

  @Field(() => FuturesProductType, { description: "Futures category, by the coin of the margin" })
  readonly productType!: FuturesProductType;

  @Cost({ rows: marginCoins })
  @Field(() => [FuturesAccountAsset], { nullable: "items", description: "What the account holds, coin by coin (`assetList`)" })
  readonly assets!: readonly (FuturesAccountAsset | Error)[];
}

@RecordType("A sub-account's futures account in one margin coin")
class SubAccountFuturesAsset extends recordOf(subAccountFuturesAsset) {}

@RecordType("The futures assets of one sub-account of a Classic master account")
export class SubAccountFuturesAssets extends recordOf(subAccountFuturesAssetsRecord, { without: ["assets"] }) {
  @Cost({ rows: marginCoins })
  @Field(() => [SubAccountFuturesAsset], {
    nullable: "items",
    description: "Its futures accounts, one per margin coin (`assetList`)",
  })
  readonly assets!: readonly (SubAccountFuturesAsset | Error)[];
}
