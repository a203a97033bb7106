import { convertCurrencies, convertRecords } from "@exchange-graph/contract/convert";
import { classicSpotBills } from "@exchange-graph/contract/financialRecord";
import { rowsRead } from "@exchange-graph/contract/rows";
import {
  classicSubTransfers,
  classicTransfers,
  subTransfers,
  type Transfer,
  type TransferWallet,
} from "@exchange-graph/contract/transfer";
import {
  classicDepositRecords,
  classicWithdrawalRecords,
  depositRecords,
  withdrawalRecords,
} from "@exchange-graph/contract/wallet";
import type { ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import { identityUnder } from "../paging/cursor.js";
import { MAX_FIRST, rowsOf, type Slice, slicesOf } from "../paging/pager.js";
import { keptSpan, type TimelineSource, timeline } from "../paging/timeline.js";
import type { Reads } from "../reader/reads.js";
import { NOTHING, overTime, type Pages, type Walk } from "./pageCounts.js";
import { listOfMode, listOverTime } from "./pagedList.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

const ofTransfer = ({ transferId }: Transfer): string => transferId;

/** Deposits into an account, newest first. */
export const deposits = listOfMode(depositRecords, classicDepositRecords, ({ orderId }) => orderId);

/** An account's own withdrawals, newest first. */
export const withdrawals = listOfMode(withdrawalRecords, classicWithdrawalRecords, ({ orderId }) => orderId);

/** Transfers between a master account and its sub-accounts that one of them has sent, or has received; newest first. */
export const transfersOfSubAccounts = listOfMode(subTransfers, classicSubTransfers, ofTransfer);

interface TransferFilter {
  readonly coin?: string | null | undefined;
  readonly fromWallet?: TransferWallet | null | undefined;
}

/**
 * Transfers between the wallets of a Classic account, newest first: of a coin, or, within the last 90 days, of every coin. The
 * exchange has one list for each coin.
 */
export async function readTransfers(
  reads: Reads,
  account: ExchangeAccount,
  { coin, fromWallet }: TransferFilter,
  args: HistoryArguments,
): Promise<Slice<Transfer>> {
  await reads.demand(account, "CLASSIC", "A list of transfers between the account's wallets");
  const transfersOf = (one: string, times: HistoryArguments) => {
    const values = { coin: one, fromType: fromWallet };
    return pagedQuery(reads, { endpoint: classicTransfers, account, values, rowKey: ofTransfer }, times);
  };
  if (coin !== null && coin !== undefined) return transfersOf(coin, args);
  const span = keptSpan(reads, args);
  const identity = identityUnder(reads.identitiesOf(account), (owner) =>
    JSON.stringify([classicTransfers.name, owner, fromWallet ?? null, args.from ?? null, args.to ?? null]),
  );
  const sources = async () =>
    (await transferCoins(reads, account, span)).map(
      (name): TimelineSource<Transfer> => ({
        ...{ name, isFiltered: false, isInShortWindows: false },
        page: (times) => transfersOf(name, times),
        timeOf: ({ createdTime }) => createdTime,
        keyOf: ofTransfer,
      }),
    );
  const { rows, unread, ...rest } = await timeline(identity, sources, span, args, MAX_FIRST);
  return { ...rest, rows: [...unread, ...rows.map(({ row: { row }, cursor }) => ({ row, cursor }))] };
}

/** Coins of futures wallets, which may be transferred without passing the spot account. */
const FUTURES_COINS = ["USDT", "USDC"];
/** Maximum number of coins whose transfers are read together. */
const MAX_COINS = 40;
/** Maximum number of pages in which their coins are looked for. */
const COIN_PAGES = 4;

/** Lists of the transfers of all coins, and pages in which these are found. */
export const transferCoinPages: Walk = overTime(
  ...Array.from({ length: COIN_PAGES }, () => classicSpotBills),
  ...Array.from({ length: MAX_COINS }, () => classicTransfers),
);

/**
 * The list of a coin, or the lists of all coins. One row more than the page has is read of each list, so the longest page takes two
 * pages of each.
 */
export const transferPages: Pages = (mode, { coin, first }) => {
  if (mode !== "CLASSIC") return NOTHING;
  if (coin !== undefined) return overTime(classicTransfers);
  return first === MAX_FIRST ? overTime(...transferCoinPages.lists, ...transferCoinPages.lists) : transferCoinPages;
};

/**
 * Coins that a Classic account may have transferred between two times, Unix ms: those that were transferred to or from its spot
 * account, and USDT and USDC. Throws `BAD_USER_INPUT` if there are too many.
 */
export async function transferCoins(
  reads: Reads,
  account: ExchangeAccount,
  times: Required<Pick<HistoryArguments, "from" | "to">>,
): Promise<readonly string[]> {
  const values = { groupType: "transfer", coin: null, businessType: null } as const;
  const query = {
    endpoint: classicSpotBills,
    account,
    values,
    rowKey: ({ recordId }: { readonly recordId: string }) => recordId,
  };
  const coins = new Set(FUTURES_COINS);
  let pages = 0;
  for await (const slice of slicesOf((after) => pagedQuery(reads, query, { ...times, first: MAX_FIRST, after }))) {
    for (const { coin } of rowsRead(rowsOf(slice))) if (coin !== null) coins.add(coin);
    if (!slice.hasNextPage && coins.size <= MAX_COINS) return [...coins];
    if (++pages === COIN_PAGES) break;
  }
  throw badInput([
    {
      argument: "from",
      rule: "must be later, or the transfers must be those of one coin (in activity: kinds without TRANSFER): there are too many",
    },
  ]);
}

export type { PastConversion } from "@exchange-graph/contract/convert";

/** Coins that can be converted, with their limits. */
export const readConvertCurrencies = (reads: Reads, account: ExchangeAccount) => reads.read(convertCurrencies, {}, account);

/** Completed conversions, newest first. */
export const conversions = listOverTime(convertRecords, ({ id }) => id);
