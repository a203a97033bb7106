import { publicTrade } from "@exchange-graph/contract/publicTrade";
import { RecordType, recordOf } from "./record.js";

@RecordType("A trade of the public market")
export class Trade extends recordOf(publicTrade) {}
