import { HOUR_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { asOfNow, type BackOffice } from "../backOffice.js";
import type { Random } from "../random.js";
import { type Conversion, type ConvertService, termsOf } from "./convertService.js";

/** Past conversions of a user: three pages of the list's own page size. */

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

/** Adds conversions of the past seven weeks to a user. */
export function openConversions(service: ConvertService, uid: string, random: Random): void {
  const past = asOfNow(service.office, CONVERSIONS, [...new Set(PAIRS.flat())]);
  service.conversions.prepare(uid, () => conversions(past, random));
}

function* conversions({ now, ids, usdtPrice }: BackOffice, random: Random): Generator<Conversion> {
  for (let at = 0; at < CONVERSIONS; at++) {
    const [fromCoin, toCoin] = random.pick(PAIRS);
    const worth = exact(String(random.between(5, 900)));
    const fromCoinSize = worth.div(usdtPrice(fromCoin)).round(6);
    const createdTime = now() - (at + 1) * SPACING_MS;
    yield { id: ids.past(createdTime), createdTime, ...termsOf({ fromCoin, toCoin, fromCoinSize }, usdtPrice) };
  }
}
