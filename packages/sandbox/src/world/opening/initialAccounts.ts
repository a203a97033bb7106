import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { Accounts, HoldMode } from "../accounts.js";
import type { PastChange } from "../funds/financialRecords.js";
import { HOUSE_KINDS, houseWallet, type Ledger, type WalletKind, walletOf } from "../ledger.js";
import type { State } from "../state.js";

/** The three accounts of every world, and their sub-accounts. */
export const MAIN_UID = "8800112233";
export const CLASSIC_UID = "8800112244";
export const BROKER_UID = "8800112255";
/** The ordinary sub-accounts of the Classic master. */
export const CLASSIC_SUB_UIDS = ["8800112301", "8800112302", "8800112303"] as const;

const YEAR_MS = 365 * DAY_MS;

type Holdings = Partial<Readonly<Record<WalletKind, Readonly<Record<string, string>>>>>;

const HOLDINGS = {
  [MAIN_UID]: {
    unified: {
      USDT: "84250.137412",
      BTC: "1.42081",
      ETH: "12.5304",
      SOL: "180.25",
      USDC: "26400.5",
      XRP: "8200",
      DOGE: "31500",
      LINK: "420.5",
      AVAX: "96.4",
      TRX: "12400",
    },
    funding: { USDT: "2500.25", BTC: "0.05", ETH: "1.2" },
  },
  [CLASSIC_UID]: {
    spot: { USDT: "41310.88", BTC: "0.62014", ETH: "7.81", SOL: "64.5", XRP: "4100", USDC: "5200", ADA: "3200", LTC: "18.25" },
    funding: { USDT: "900" },
    "usdt-futures": { USDT: "32180.442" },
    "usdc-futures": { USDC: "11840.1" },
    "coin-futures": { BTC: "0.51022", ETH: "6.2", XRP: "1500" },
    "crossed-margin": { USDT: "3000", BTC: "0.08" },
  },
  [BROKER_UID]: {
    spot: { USDT: "125000", BTC: "2.5", ETH: "31", SOL: "240", USDC: "18000", XRP: "22000", LTC: "75", TRX: "90000" },
    funding: { USDT: "10000" },
    "usdt-futures": { USDT: "54000" },
    "usdc-futures": { USDC: "8000" },
    "coin-futures": { BTC: "0.75", ETH: "4" },
  },
  [CLASSIC_SUB_UIDS[0]]: {
    spot: { USDT: "1820.5", BTC: "0.021" },
    "usdt-futures": { USDT: "4210.75" },
    "coin-futures": { BTC: "0.062" },
    "usdc-futures": { USDC: "1500" },
  },
  [CLASSIC_SUB_UIDS[1]]: {
    spot: { USDT: "640", ETH: "0.9" },
    "usdt-futures": { USDT: "980.2" },
    "usdc-futures": { USDC: "410.06" },
  },
  [CLASSIC_SUB_UIDS[2]]: { spot: { SOL: "12" }, "usdt-futures": { USDT: "250" } },
} as const satisfies Readonly<Record<string, Holdings>>;

/** Initial balance of each of the exchange's wallets in every coin, in USDT: enough never to run out. */
const HOUSE_VALUE = exact("100000000000000");
/** Decimals of minted amounts: whole units. */
const WHOLE = 0;

export function openAccounts(accounts: Accounts, now: number): void {
  accounts.open({ uid: MAIN_UID, mode: "unified", createdTime: now - 3 * YEAR_MS });
  accounts.open({ uid: CLASSIC_UID, mode: "classic", createdTime: now - 2 * YEAR_MS });
  const broker = accounts.open({ uid: BROKER_UID, mode: "classic", createdTime: now - YEAR_MS, isNdBroker: true });
  // One account is in hedge mode, so that both position modes can be tested.
  broker.setHoldMode("hedge_mode");
  for (const [at, uid] of CLASSIC_SUB_UIDS.entries()) {
    accounts.open({ uid, parentUid: CLASSIC_UID, mode: "classic", createdTime: now - (300 - 60 * at) * DAY_MS });
  }
}

/** Mints the initial balances, including those of the exchange. */
export function mintHoldings(ledger: Ledger, coins: readonly string[], usdtPrice: (coin: string) => Exact): void {
  for (const coin of coins) {
    const amount = HOUSE_VALUE.div(usdtPrice(coin)).round(WHOLE);
    for (const kind of HOUSE_KINDS) ledger.mint(houseWallet(kind), coin, amount);
  }
  for (const [uid, holdings] of Object.entries<Holdings>(HOLDINGS)) {
    for (const kind of Object.keys(holdings) as readonly WalletKind[]) {
      for (const [coin, amount] of Object.entries(holdings[kind] ?? {})) ledger.mint(walletOf(uid, kind), coin, exact(amount));
    }
  }
}

/** The initial state of the world, from which histories are created at any later time. */
export interface InitialState extends Pick<State, "markets" | "orders" | "positions" | "ids"> {
  /** Changes of balances by what is entered. */
  readonly changes: PastChange[];
  readonly uid: string;
  /** Unix ms. */
  readonly began: number;
  readonly holdModes: Readonly<Record<FuturesCategory, HoldMode>>;
  readonly isUnified: boolean;
}
