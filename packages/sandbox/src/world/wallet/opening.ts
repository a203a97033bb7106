import { HOUR_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { asOfNow, type BackOffice } from "../backOffice.js";
import type { Random } from "../random.js";
import { addressOf, chainDeposit, type Deposit } from "./deposits.js";
import { chainOf, type Withdrawal, withdrawalOf } from "./withdrawals.js";

/** Past withdrawals and deposits: three pages of the lists' own page size. */

const SPACING_MS = 29 * HOUR_MS;
const WITHDRAWALS = 62;

interface Habit {
  readonly coin: string;
  /** Minimum and maximum, in whole units of the coin. */
  readonly amounts: readonly [number, number];
}

const HABITS: readonly [Habit, ...Habit[]] = [
  { coin: "USDT", amounts: [50, 4_000] },
  { coin: "USDC", amounts: [50, 2_000] },
  { coin: "SOL", amounts: [1, 60] },
  { coin: "TRX", amounts: [100, 9_000] },
  { coin: "XRP", amounts: [20, 3_000] },
];

/** Prepares the withdrawals of the past ten weeks of some users in turn. Their amounts are not part of the opening balances. */
export function pastWithdrawals(
  office: BackOffice,
  uids: readonly [string, ...string[]],
  random: Random,
): () => Iterable<Withdrawal> {
  const past = asOfNow(office, WITHDRAWALS);
  return () => withdrawals(past, uids, random);
}

function* withdrawals({ now, ids }: BackOffice, uids: readonly [string, ...string[]], random: Random): Generator<Withdrawal> {
  for (let at = 0; at < WITHDRAWALS; at++) {
    const uid = uids[at % uids.length] ?? uids[0];
    const { coin, amounts } = random.pick(HABITS);
    const amount = exact(String(random.between(...amounts)));
    const createdTime = now() - (at + 1) * SPACING_MS;
    const orderId = ids.past(createdTime);
    const address = addressOf(`${uid}/${coin}`);
    const tag = coin === "XRP" ? String(random.between(100_000, 999_999)) : undefined;
    yield withdrawalOf({ uid, coin, dest: "on_chain", address, amount, tag }, orderId, createdTime);
  }
}

const DEPOSITS = 58;
const DEPOSIT_SPACING_MS = 31 * HOUR_MS;

/** Prepares the deposits of the past ten weeks of a user. Their amounts are not part of the opening balance. */
export function pastDeposits(office: BackOffice, uid: string, random: Random): () => Iterable<Deposit> {
  const past = asOfNow(office, DEPOSITS);
  return () => deposits(past, uid, random);
}

function* deposits({ now, ids }: BackOffice, uid: string, random: Random): Generator<Deposit> {
  for (let at = 0; at < DEPOSITS; at++) {
    const { coin, amounts } = random.pick(HABITS);
    const createdTime = now() - (at + 1) * DEPOSIT_SPACING_MS;
    const amount = exact(String(random.between(...amounts)));
    yield chainDeposit({ orderId: ids.past(createdTime), uid, coin, chain: chainOf(coin, undefined).name, amount, createdTime });
  }
}
