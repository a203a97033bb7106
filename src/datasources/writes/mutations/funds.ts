import { convertQuote, QUOTE_VALIDITY_MS, type Quotation } from "@exchange-graph/contract/convert";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { ExchangeAccount } from "../../calls/index.js";
import type { ArgumentViolation } from "../../errors/index.js";
import { readCoins } from "../../reads/index.js";
import { convertTradePolicy, savingsRedeemPolicy, subAccountWithdrawalPolicy } from "../policies/funds.js";
import {
  type Acknowledgement,
  acknowledgement,
  type ConversionReply,
  conversionReply,
  type RedemptionReply,
  redemptionReply,
} from "../policies/replies.js";
import { brokenByCoin, refuseElsewhere } from "../rules/withdrawalRules.js";
import { plan, type WriteOptions } from "../writePlan.js";
import type { RequestWrites } from "../writes.js";
import { type InputOf, mutation } from "./mutation.js";

interface QuoteFilter {
  readonly fromCoin: string;
  readonly toCoin: string;
  /** Exactly one of the two is given. */
  readonly fromAmount?: DecimalText | null | undefined;
  readonly toAmount?: DecimalText | null | undefined;
}

/** A price for a conversion, valid for 8 seconds and for one conversion: it is never cached or shared. */
export async function readConvertQuote(
  { reads, writes }: RequestWrites,
  account: ExchangeAccount,
  { fromCoin, toCoin, fromAmount, toAmount }: QuoteFilter,
): Promise<Quotation & { readonly expireTime: number }> {
  const quote = await reads.readAlone(
    convertQuote,
    { fromCoin, toCoin, fromCoinSize: fromAmount ?? undefined, toCoinSize: toAmount ?? undefined },
    account,
    { fromCoinSize: "amount.from", toCoinSize: "amount.to" },
  );
  const now = reads.now();
  writes.quotes.remember(account, quote, now);
  return { ...quote, expireTime: now + QUOTE_VALIDITY_MS };
}

/** Mutations that move funds. */

type RedeemSavingsInput = InputOf<typeof savingsRedeemPolicy>;

/** An account may hold several terms of one product, which end at different times. */
const HOLDING_UNNAMED: ArgumentViolation = { argument: "orderId", rule: "must be given for a fixed term: the holding to redeem" };

/** Redeems savings. The exchange enforces the minute between two redemptions. */
export const redeemSavings = mutation<RedeemSavingsInput, RedemptionReply>({
  name: "redeemSavings",
  reply: redemptionReply,
  plan: async (_, { productId, orderId, periodType, amount }) =>
    plan(savingsRedeemPolicy, { productId, orderId, periodType, amount }, {}, () =>
      periodType === "fixed" && orderId === undefined ? [HOLDING_UNNAMED] : [],
    ),
});

/** A quotation, as it was returned. */
interface ConvertInput extends WriteOptions {
  readonly traceId: string;
  readonly fromCoin: string;
  readonly fromAmount: DecimalText;
  readonly toCoin: string;
  readonly toAmount: DecimalText;
  readonly price: DecimalText;
}

/** Converts at a quotation. A quotation is valid for one conversion, so its id is the key of the write. */
export const convert = mutation<ConvertInput, ConversionReply>({
  name: "convert",
  reply: conversionReply,
  namedBy: "traceId",
  plan: async ({ reads, writes, account }, quote) => {
    const { fromCoin, fromAmount, price, toCoin, toAmount, traceId } = quote;
    return plan(
      convertTradePolicy,
      { fromCoin, fromCoinSize: fromAmount, cnvtPrice: price, toCoin, toCoinSize: toAmount, traceId },
      { fromCoinSize: "fromAmount", toCoinSize: "toAmount", cnvtPrice: "price" },
      () => writes.quotes.brokenBy(account, quote, reads.now()),
      { exposure: { market: null, coin: fromCoin, quoteCoin: null, qty: fromAmount, field: "fromAmount", stays: false } },
    );
  },
});

type WithdrawFromSubAccountInput = InputOf<typeof subAccountWithdrawalPolicy>;

/** Only to addresses that the configuration allows, and of what the exchange lists. */
export const withdrawFromSubAccount = mutation<WithdrawFromSubAccountInput, Acknowledgement>({
  name: "withdrawFromSubAccount",
  reply: acknowledgement,
  namedBy: "clientOid",
  plan: async ({ reads, writes, account }, { subUid, coin, dest, chain, address, amount, tag, clientOid }) => {
    refuseElsewhere(writes.withdrawals, { account: account.name, coin, dest, chain, address, tag });
    const coins = await readCoins(reads);
    return plan(
      subAccountWithdrawalPolicy,
      { subUid, coin, dest, chain, address, amount, tag, clientOid: clientOid ?? writes.newClientOid() },
      {},
      () => brokenByCoin(coins, { coin, dest, chain, amount, tag }),
    );
  },
});
