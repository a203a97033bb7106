import { subAccountWithdrawal, subAccountWithdrawals } from "../../../contract/broker.js";
import { convertRecords, convertTrade, type PastConversion, QUOTE_VALIDITY_MS } from "../../../contract/convert.js";
import { savingsProducts, savingsRecords, savingsRedeem } from "../../../contract/savings.js";
import type { Withdrawal } from "../../../contract/wallet.js";
import type { JournalEntry } from "../journal/entry.js";
import { byContent, isEqual } from "./evidence.js";
import { isSince, lifetimeOf, policy } from "./policy.js";
import {
  type Acknowledgement,
  acknowledgement,
  type ConversionReply,
  conversionReply,
  type RedemptionReply,
  redemptionReply,
} from "./replies.js";

/** Money that moves. The exchange's records carry no name of ours, so their content has to tell. */

const same = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && one.toUpperCase() === other.toUpperCase();

const sameAmount = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && isEqual(one, other);

type Trade = Pick<PastConversion, "fromCoin" | "fromCoinSize" | "toCoin" | "toCoinSize" | "cnvtPrice">;
const isSameTrade = (one: Trade, other: Readonly<Record<keyof Trade, unknown>>): boolean =>
  same(one.fromCoin, other.fromCoin) &&
  same(one.toCoin, other.toCoin) &&
  sameAmount(one.fromCoinSize, other.fromCoinSize) &&
  sameAmount(one.toCoinSize, other.toCoinSize);

const tradeOf = ({ values }: JournalEntry) => ({
  fromCoin: values.fromCoin,
  fromCoinSize: values.fromCoinSize,
  toCoin: values.toCoin,
  toCoinSize: values.toCoinSize,
  cnvtPrice: values.cnvtPrice,
});

const conversionOf = ({ toCoin, toCoinSize, cnvtPrice, createdTime }: ConversionReply): ConversionReply => ({
  toCoin,
  toCoinSize,
  cnvtPrice,
  createdTime,
});

export const convertTradePolicy = policy(convertTrade, {
  reply: conversionOf,
  // A quotation stands for this long after it was given, which was before the trade was sent.
  validForMs: () => QUOTE_VALIDITY_MS,
  proof: {
    reads: [convertRecords.name],
    shows: "a record of the same coins and amounts in those seconds that no other conversion accounts for",
    look: async (lookUp, lost) => {
      const { list } = await lookUp.read(convertRecords, { ...lifetimeOf(lost.entry), limit: 100 });
      const records = list.filter((record) => isSince(lost, record.createdTime) && isSameTrade(record, lost.values));
      return byContent(records, lost, {
        isOf: (record, { reply }) => conversionReply.safeParse(reply).data?.createdTime === record.createdTime,
        isTwin: (other) => isSameTrade(lost.values, tradeOf(other)),
        reply: conversionOf,
      });
    },
  },
});

type Transfer = Pick<Withdrawal, "coin" | "dest" | "toAddress" | "userId" | "amount">;
const isSameTransfer = (record: Transfer, values: JournalEntry["values"]): boolean =>
  same(record.coin, values.coin) &&
  same(record.dest, values.dest) &&
  same(record.userId, values.subUid) &&
  same(record.toAddress, values.address) &&
  sameAmount(record.amount, values.amount);

export const subAccountWithdrawalPolicy = policy(subAccountWithdrawal, {
  reply: ({ orderId, clientOid }): Acknowledgement => ({ orderId, clientOid }),
  proof: {
    reads: [subAccountWithdrawals.name],
    shows: "a record of the same sub-account, coin, amount and address in that time that no other withdrawal accounts for",
    look: async (lookUp, lost) => {
      const { list } = await lookUp.read(subAccountWithdrawals, {
        userId: lost.values.subUid,
        ...lifetimeOf(lost.entry),
        limit: 100,
      });
      const records = list.filter(
        (record) => record.createdTime !== null && isSince(lost, record.createdTime) && isSameTransfer(record, lost.entry.values),
      );
      return byContent(records, lost, {
        isOf: ({ orderId }, { reply }) => acknowledgement.safeParse(reply).data?.orderId === orderId,
        isTwin: ({ values }) => records.some((record) => isSameTransfer(record, values)),
        reply: ({ orderId }): Acknowledgement => ({ orderId, clientOid: lost.values.clientOid ?? null }),
      });
    },
  },
});

/**
 * Savings records name the coin and not the product, and of fixed savings it is not told when a redemption gets its
 * record: what is not found there proves nothing, and a redemption of another amount may be the one that is looked for.
 */
export const savingsRedeemPolicy = policy(savingsRedeem, {
  reply: ({ orderId, status }): RedemptionReply => ({ orderId, status }),
  proof: {
    reads: [savingsProducts.name, savingsRecords.name],
    shows:
      "a redemption of the same coin, kind of term and amount in that time that no other one accounts for; of fixed savings its absence proves nothing",
    look: async (lookUp, lost) => {
      const { productId, periodType, amount } = lost.values;
      const products = await lookUp.read(savingsProducts, { filter: "all" });
      const coin = products.find((product) => product.productId === productId)?.coin;
      if (coin === undefined) return "undecidable";
      const { list } = await lookUp.read(savingsRecords, {
        ...{ periodType, coin, orderType: "redeem" },
        ...lifetimeOf(lost.entry),
        limit: 100,
      });
      const records = list.filter(({ createdTime }) => isSince(lost, createdTime));
      const alike = records.filter((record) => sameAmount(record.amount, amount));
      if (alike.length === 0) return records.length === 0 && periodType === "flexible" ? "no trace" : "undecidable";
      return byContent(alike, lost, {
        isOf: ({ orderId }, { reply }) => redemptionReply.safeParse(reply).data?.orderId === orderId,
        isTwin: ({ values }) => values.periodType === periodType && sameAmount(values.amount, amount),
        reply: ({ orderId }): RedemptionReply => ({ orderId, status: null }),
      });
    },
  },
});
