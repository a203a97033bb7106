import { subAccountSpotAssets, subAccountWithdrawal, subAccountWithdrawals } from "@exchange-graph/contract/broker";
import { convertRecords, convertTrade } from "@exchange-graph/contract/convert";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { rowsRead } from "@exchange-graph/contract/rows";
import {
  savingsAccount,
  savingsAssets,
  savingsProducts,
  savingsRecords,
  savingsRedeem,
  savingsRedeemResult,
} from "@exchange-graph/contract/savings";
import { classicDepositRecords, depositRecords, type Withdrawal } from "@exchange-graph/contract/wallet";
import { FUNDS } from "../../reads/index.js";
import type { JournalEntry } from "../journal/journalEntry.js";
import { byContent, everyComplete, isSameAmount, isSameName, RECORDS_LOOKED_AT } from "./evidence.js";
import { isSameMoment, isSince, lifetimeOf, policy } from "./policy.js";
import {
  type Acknowledgement,
  acknowledgement,
  type ConversionReply,
  conversionReply,
  type RedemptionReply,
  redemptionReply,
} from "./replies.js";

/**
 * Policies for movements of funds. The exchange's records lack the client's identifier, so their content decides: coins, amounts
 * and receivers first, because other writes may be executed in the same millisecond.
 */

type EntryValues = JournalEntry["values"];

/** Fields that records and journal entries of a conversion have in common. */
type Trade = Readonly<Record<"fromCoin" | "fromAmount" | "toCoin" | "toAmount", unknown>>;

const tradeOf = ({ fromCoin, fromCoinSize, toCoin, toCoinSize }: EntryValues): Trade => ({
  fromCoin,
  fromAmount: fromCoinSize,
  toCoin,
  toAmount: toCoinSize,
});
const isSameSource = (one: Trade, other: Trade): boolean =>
  isSameName(one.fromCoin, other.fromCoin) &&
  isSameName(one.toCoin, other.toCoin) &&
  isSameAmount(one.fromAmount, other.fromAmount);
const isSameTrade = (one: Trade, other: Trade): boolean => isSameSource(one, other) && isSameAmount(one.toAmount, other.toAmount);

const conversionOf = ({ toCoin, toAmount, price, createdTime }: ConversionReply): ConversionReply => ({
  toCoin,
  toAmount,
  price,
  createdTime,
});

export const convertTradePolicy = policy(convertTrade, {
  invalidates: [convertRecords, ...FUNDS],
  // Trading coins are held on spot.
  category: "SPOT",
  reply: conversionOf,
  isAnswerTo: (data, values) => isSameName(data.toCoin, values.toCoin) && isSameAmount(data.toAmount, values.toCoinSize),
  // A quotation is valid for eight seconds, but its start is known by the local clock only, so the signature is the certain
  // bound. A used quotation is refused like an expired one.
  echoes: [REFUSAL.quoteExpired.code],
  proof: {
    reads: [convertRecords.name],
    shows: "a record of the same coins and amounts in that time that no other conversion accounts for",
    look: async (lookUp, lost) => {
      const lostTrade = tradeOf(lost.values);
      const records = await lookUp.read(convertRecords, { ...lifetimeOf(lost.entry), limit: RECORDS_LOOKED_AT });
      const list = everyComplete(records.list, ["fromCoin", "fromAmount", "toCoin", "toAmount", "createdTime"]);
      if (list === "undecidable") return list;
      const finding = await byContent(
        list.filter((record) => isSameTrade(record, lostTrade)),
        lost,
        {
          isOf: (record, { values, reply }) => {
            const { createdTime } = conversionReply.safeParse(reply).data ?? {};
            return (
              createdTime !== undefined && isSameMoment(record.createdTime, createdTime) && isSameTrade(record, tradeOf(values))
            );
          },
          isTwin: ({ values }) => isSameTrade(lostTrade, tradeOf(values)),
          reply: conversionOf,
        },
      );
      if (finding !== "no trace") return finding;
      // The same source amount with another target amount: probably another conversion, but not certainly.
      const others = await lost.others();
      const isStrange = (record: (typeof list)[number]): boolean =>
        isSameSource(record, lostTrade) &&
        !isSameTrade(record, lostTrade) &&
        isSince(lost, record.createdTime) === "yes" &&
        !others.some(({ values }) => isSameTrade(record, tradeOf(values)));
      return list.some(isStrange) ? "undecidable" : "no trace";
    },
  },
});

type Transfer = Pick<Withdrawal, "coin" | "dest" | "toAddress" | "tag" | "userId" | "amount">;

/** A field that a record lacks matches; one that it has has to match exactly. */
const isUnlessLeftOut = (named: string | null, requested: unknown): boolean =>
  named === null || requested === undefined || named === requested;

const isSameTransfer = (record: Transfer, values: EntryValues): boolean =>
  isSameName(record.coin, values.coin) &&
  isSameName(record.dest, values.dest) &&
  isSameName(record.userId, values.subUid) &&
  isSameName(record.toAddress, values.address) &&
  isUnlessLeftOut(record.tag, values.tag) &&
  isSameAmount(record.amount, values.amount);

export const subAccountWithdrawalPolicy = policy(subAccountWithdrawal, {
  // The receiver may be the account itself.
  invalidates: [subAccountSpotAssets, subAccountWithdrawals, depositRecords, classicDepositRecords, ...FUNDS],
  reply: ({ orderId, clientOid }): Acknowledgement => ({ orderId, clientOid }),
  isAnswerTo: ({ clientOid }, values) => values.clientOid === undefined || clientOid === values.clientOid,
  proof: {
    reads: [subAccountWithdrawals.name],
    shows: "a record of the same sub-account, coin, amount and address in that time that no other withdrawal accounts for",
    look: async (lookUp, lost) => {
      const { list } = await lookUp.read(subAccountWithdrawals, {
        userId: lost.values.subUid,
        ...lifetimeOf(lost.entry),
        limit: RECORDS_LOOKED_AT,
      });
      const complete = everyComplete(list, ["coin", "dest", "userId", "toAddress", "amount", "createdTime"]);
      if (complete === "undecidable") return complete;
      const records = complete.filter((record) => isSameTransfer(record, lost.entry.values));
      return byContent(records, lost, {
        isOf: ({ orderId }, { reply }) => acknowledgement.safeParse(reply).data?.orderId === orderId,
        isTwin: ({ values }) => records.some((record) => isSameTransfer(record, values)),
        reply: ({ orderId }): Acknowledgement => ({ orderId, clientOid: lost.values.clientOid ?? null }),
      });
    },
  },
});

/**
 * Savings records contain the coin but not the product, and for fixed savings it is not documented when a redemption gets its
 * record: absence proves nothing, and a redemption of another amount may be the wanted one.
 */
export const savingsRedeemPolicy = policy(savingsRedeem, {
  invalidates: [savingsProducts, savingsAccount, savingsAssets, savingsRecords, savingsRedeemResult, ...FUNDS],
  // Trading coins are held on spot.
  category: "SPOT",
  reply: ({ orderId, status }): RedemptionReply => ({ orderId, status }),
  // A minute has to pass between two redemptions, so a repeated request is refused as too frequent.
  echoes: [REFUSAL.earnTooFrequent.code],
  proof: {
    reads: [savingsProducts.name, savingsRecords.name],
    shows:
      "a redemption of the same coin, kind of term and amount in that time that no other one accounts for; of fixed savings its absence proves nothing",
    look: async (lookUp, lost) => {
      const { productId, periodType, amount } = lost.values;
      const products = await lookUp.read(savingsProducts, { filter: "all" });
      const coinOf = (id: unknown): string | undefined =>
        rowsRead(products).find((product) => product.productId === id)?.coin ?? undefined;
      const coin = coinOf(productId);
      if (coin === undefined) return "undecidable";
      const { list } = await lookUp.read(savingsRecords, {
        ...{ periodType, coin, orderType: "redeem" },
        ...lifetimeOf(lost.entry),
        limit: RECORDS_LOOKED_AT,
      });
      const complete = everyComplete(list, ["amount", "createdTime"]);
      if (complete === "undecidable") return complete;
      const alike = complete.filter((record) => isSameAmount(record.amount, amount));
      // A redemption of another amount may be the wanted one, and for fixed savings absence proves nothing.
      const isOpen = complete.length > 0 || periodType === "fixed";
      const finding =
        alike.length === 0 && isOpen
          ? "undecidable"
          : await byContent(alike, lost, {
              isOf: (record, { reply }) => redemptionReply.safeParse(reply).data?.orderId === record.orderId,
              isTwin: ({ values }) =>
                coinOf(values.productId) === coin && values.periodType === periodType && isSameAmount(values.amount, amount),
              reply: ({ orderId }): RedemptionReply => ({ orderId, status: null }),
            });
      // "Too frequent" after an accepted redemption is not caused by the same write.
      const isExplained = lost.refusedAt !== undefined && (await lost.others()).some(({ state }) => state === "ACCEPTED");
      return isExplained && typeof finding === "string" ? "another's" : finding;
    },
  },
});
