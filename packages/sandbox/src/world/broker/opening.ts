import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { type WalletKind, walletOf } from "../ledger.js";
import type { Random } from "../random.js";
import { pastWithdrawals } from "../wallet/opening.js";
import type { BrokerService } from "./brokerService.js";

/** Initial sub-accounts of an ND broker. */

const FIRST_UID = 8_800_200_001;

/** Three pages of the list's own page size. */
const NAMES = (
  "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima " +
  "mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray"
).split(" ");
const LANGUAGES: readonly [string, ...string[]] = ["en_US", "en_US", "de_DE", "ja_JP", "tr_TR"];
const PERMISSIONS = ["read", "spot_trade", "contract_trade", "transfer", "withdraw", "deposit"];
/** One sub-account in this many is frozen. */
const FROZEN_EVERY = 9;

/** Possible balances of a sub-account, in whole units. */
const HOLDINGS: readonly { readonly wallet: WalletKind; readonly coin: string; readonly most: number }[] = [
  { wallet: "spot", coin: "USDT", most: 25_000 },
  { wallet: "spot", coin: "BTC", most: 2 },
  { wallet: "spot", coin: "ETH", most: 20 },
  { wallet: "spot", coin: "SOL", most: 150 },
  { wallet: "spot", coin: "TRX", most: 9_000 },
  { wallet: "usdt-futures", coin: "USDT", most: 12_000 },
  { wallet: "usdc-futures", coin: "USDC", most: 4_000 },
  { wallet: "coin-futures", coin: "BTC", most: 1 },
];

/** Creates the broker's sub-accounts and mints coins into their wallets. */
export function openSubAccounts(service: BrokerService, brokerUid: string, random: Random): void {
  const { now, ledger } = service.office;
  for (const [at, name] of NAMES.entries()) {
    const uid = String(FIRST_UID + at);
    const createdTime = now() - (NAMES.length - at) * 11 * DAY_MS;
    service.accounts.open({ uid, parentUid: brokerUid, mode: "classic", createdTime });
    service.subAccounts.enter(brokerUid, {
      uid,
      name: `${name}@broker.example`,
      email: `${name}@desk.example`,
      status: (at + 1) % FROZEN_EVERY === 0 ? "freeze" : "normal",
      permissions: PERMISSIONS,
      label: `desk ${at + 1}`,
      language: random.pick(LANGUAGES),
      createdTime,
      updatedTime: createdTime,
    });
    for (const { wallet, coin, most } of HOLDINGS) {
      ledger.mint(walletOf(uid, wallet), coin, exact(String(random.between(0, most))));
    }
  }
}

/** Sub-accounts with past withdrawals. */
const WITHDRAWING = [String(FIRST_UID), String(FIRST_UID + 1), String(FIRST_UID + 2)] as const;

export function openSubAccountWithdrawals(service: BrokerService, brokerUid: string, random: Random): void {
  service.withdrawals.prepare(brokerUid, pastWithdrawals(service.office, WITHDRAWING, random));
}
