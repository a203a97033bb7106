import { subAccountFuturesAsset, subAccountFuturesAssetsRecord } from "@exchange-graph/contract/futuresAccount";
import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { marginCoins } from "./listLengths.js";
import { RecordType, recordOf } from "./record.js";

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
