import { ManualClock } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { Accounts } from "../../src/world/accounts.js";
import type { BackOffice } from "../../src/world/backOffice.js";
import { IdSequence } from "../../src/world/ids.js";
import { HOUSE_KINDS, houseWallet, Ledger, walletOf } from "../../src/world/ledger.js";
import { randomOf } from "../../src/world/random.js";

/** Noon on the first day of 2026. */
export const NOON = Date.UTC(2026, 0, 1, 12);
export const ALICE = "1001";
export const BOB = "1002";
/** An ND broker. */
export const CAROL = "1003";

const PLENTY = exact("1000000");

/** A back office with a few users, fixed prices and a clock that is moved by hand: what a service needs and no more. */
export interface TestOffice extends BackOffice {
  readonly clock: ManualClock;
  readonly accounts: Accounts;
  /** Changing one changes what coins are worth. */
  readonly prices: Map<string, Exact>;
  /** What a user has free to spend. */
  funds(uid: string, coin: string): Exact;
  /** The coins of which the wallets together hold something else than was made. */
  unbalanced(): readonly string[];
}

export function testOffice(): TestOffice {
  const clock = new ManualClock(NOON);
  const now = () => clock.now();
  const ledger = new Ledger(now);
  const accounts = new Accounts();
  const prices = new Map(
    Object.entries({ USDT: "1", USDC: "1", BTC: "60000", ETH: "3000", SOL: "150", TRX: "0.1" }).map(([coin, price]) => [
      coin,
      exact(price),
    ]),
  );
  for (const uid of [ALICE, BOB, CAROL]) {
    accounts.open({ uid, mode: "classic", createdTime: NOON, isNdBroker: uid === CAROL });
  }
  for (const coin of prices.keys()) {
    for (const kind of HOUSE_KINDS) ledger.mint(houseWallet(kind), coin, PLENTY);
    ledger.mint(walletOf(ALICE, "spot"), coin, exact("1000"));
  }
  return {
    clock,
    accounts,
    prices,
    now,
    ledger,
    ids: new IdSequence(now),
    usdtPrice(coin) {
      const price = prices.get(coin);
      if (price === undefined) throw new RangeError(`no price for ${coin}`);
      return price;
    },
    fundsOf: (uid) => walletOf(uid, "spot"),
    funds: (uid, coin) => ledger.balance(walletOf(uid, "spot"), coin).available,
    unbalanced: () => [...ledger.supply()].filter(([coin, made]) => !ledger.total(coin).eq(made)).map(([coin]) => coin),
  };
}

export const testRandom = () => randomOf("test");
