import { candle } from "@exchange-graph/contract/candle";
import { RecordType, recordOf } from "./record.js";

@RecordType("Prices and volume of one interval")
export class Candle extends recordOf(candle) {}
