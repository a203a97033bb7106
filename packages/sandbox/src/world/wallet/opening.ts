import { createHash } from "node:crypto";
import { HOUR_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import type { BackOffice } from "../backOffice.js";
import type { Random } from "../random.js";
import { type Withdrawal, withdrawalOf } from "./withdrawals.js";

/** The withdrawals that a list remembers: three pages of its own page size. */

const SPACING_MS = 29 * HOUR_MS;
const WITHDRAWALS = 62;

interface Habit {
  readonly coin: string;
  /** The least and the most, in whole units of the coin. */
  readonly amounts: readonly [number, number];
}

const HABITS: readonly [Habit, ...Habit[]] = [
  { coin: "USDT", amounts: [50, 4_000] },
  { coin: "USDC", amounts: [50, 2_000] },
  { coin: "SOL", amounts: [1, 60] },
  { coin: "TRX", amounts: [100, 9_000] },
  { coin: "XRP", amounts: [20, 3_000] },
];

/** Withdrawals of the past ten weeks by some users in turn. What they moved lies behind the opening balances. */
export function* pastWithdrawals(
  { now, ids }: BackOffice,
  uids: readonly [string, ...string[]],
  random: Random,
): Generator<Withdrawal> {
  for (let at = 0; at < WITHDRAWALS; at++) {
    const uid = uids[at % uids.length] ?? uids[0];
    const { coin, amounts } = random.pick(HABITS);
    const amount = exact(String(random.between(...amounts)));
    const createdTime = now() - (at + 1) * SPACING_MS;
    const orderId = ids.past(createdTime);
    const address = createHash("sha256").update(`${uid}/${coin}`).digest("hex").slice(0, 34);
    const tag = coin === "XRP" ? String(random.between(100_000, 999_999)) : undefined;
    yield withdrawalOf({ uid, coin, dest: "on_chain", address, amount, tag }, orderId, createdTime);
  }
}
