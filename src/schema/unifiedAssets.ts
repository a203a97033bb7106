import { unifiedAsset, unifiedAssetsRecord } from "@exchange-graph/contract/asset";
import { partialListOf } from "./fields.js";
import { accountCoins } from "./listLengths.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("One coin in a unified account")
export class UnifiedAsset extends recordOf(unifiedAsset) {}

@RecordType("Equity and margin of a unified account as a whole")
export class UnifiedAssets extends extended(recordOf(unifiedAssetsRecord, { without: ["assets"] }), {
  assets: partialListOf(UnifiedAsset, accountCoins)("The coins that are not zero"),
}) {}
