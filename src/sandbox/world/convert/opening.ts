import { exact } from "../../../decimal.js";
import { houseWallet } from "../ledger.js";
import type { Random } from "../random.js";
import type { ConvertDesk } from "./convertDesk.js";

/** What the convert desk has to give, in USDT per coin, and the conversions that users remember. */

const HOUSE_STOCK_USDT = exact("1000000000");
const SPACING_MS = 17 * 3_600_000;
const CONVERSIONS = 70;

type Pair = readonly [fromCoin: string, toCoin: string];
const PAIRS: readonly [Pair, ...Pair[]] = [
  ["USDT", "BTC"],
  ["USDT", "ETH"],
  ["BTC", "USDT"],
  ["SOL", "USDT"],
  ["USDC", "USDT"],
];

/** Makes the coins that the desk gives out. */
export function stockConvertDesk({ office, coins }: ConvertDesk): void {
  for (const coin of coins) {
    office.ledger.mint(houseWallet("convert"), coin, HOUSE_STOCK_USDT.div(office.usdtPrice(coin)).round(0));
  }
}

/** Gives a user conversions of the past seven weeks. */
export function openConversions(desk: ConvertDesk, uid: string, random: Random): void {
  const { now, usdtPrice } = desk.office;
  for (let at = 0; at < CONVERSIONS; at++) {
    const [fromCoin, toCoin] = random.pick(PAIRS);
    const worth = exact(String(random.between(5, 900)));
    const fromCoinSize = worth.div(usdtPrice(fromCoin)).round(6);
    desk.recall(uid, { fromCoin, toCoin, fromCoinSize }, now() - (at + 1) * SPACING_MS);
  }
}
