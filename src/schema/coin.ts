import { coin, coinChain } from "@exchange-graph/contract/coin";
import { partialListOf } from "./fields.js";
import { CHAINS } from "./listLengths.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("A blockchain over which a coin is deposited and withdrawn, with fees and minimums", { lasting: true })
class CoinChain extends recordOf(coinChain) {}

@RecordType("A coin that the exchange lists, with its chains", { lasting: true, implements: Node })
export class Coin extends extended(recordOf(coin, { without: ["chains"] }), {
  chains: partialListOf(CoinChain, CHAINS)("Chains over which it is deposited and withdrawn; none for a coin that is not"),
}) {}
