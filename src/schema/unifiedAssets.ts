import { unifiedAsset, unifiedAssetsRecord } from "@exchange-graph/contract/asset";
import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { accountCoins } from "./listLengths.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("One coin in a unified account")
export class UnifiedAsset extends recordOf(unifiedAsset) {}

@RecordType("Equity and margin of a unified account as a whole")
export class UnifiedAssets extends recordOf(unifiedAssetsRecord, { without: ["assets"] }) {
  @Cost({ rows: accountCoins })
  @Field(() => [UnifiedAsset], { nullable: "items", description: "The coins that are not zero" })
  readonly assets!: readonly (UnifiedAsset | Error)[];
}
