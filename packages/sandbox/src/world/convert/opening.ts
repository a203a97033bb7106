import { HOUR_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import type { Random } from "../random.js";
import type { ConvertService } from "./convertService.js";

/** The conversions that users remember: three pages of the list's own page size. */

const SPACING_MS = 17 * HOUR_MS;
const CONVERSIONS = 70;

type Pair = readonly [fromCoin: string, toCoin: string];
const PAIRS: readonly [Pair, ...Pair[]] = [
  ["USDT", "BTC"],
  ["USDT", "ETH"],
  ["BTC", "USDT"],
  ["SOL", "USDT"],
  ["USDC", "USDT"],
];

/** Gives a user conversions of the past seven weeks. */
export function openConversions(service: ConvertService, uid: string, random: Random): void {
  const { now, usdtPrice } = service.office;
  for (let at = 0; at < CONVERSIONS; at++) {
    const [fromCoin, toCoin] = random.pick(PAIRS);
    const worth = exact(String(random.between(5, 900)));
    const fromCoinSize = worth.div(usdtPrice(fromCoin)).round(6);
    service.recall(uid, { fromCoin, toCoin, fromCoinSize }, now() - (at + 1) * SPACING_MS);
  }
}
