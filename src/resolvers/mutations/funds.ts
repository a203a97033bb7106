import { readRedemption } from "../../datasources/reads/index.js";
import { convert, redeemSavings, withdrawFromSubAccount } from "../../datasources/writes/index.js";
import {
  ConvertInput,
  ConvertPayload,
  RedeemSavingsInput,
  RedeemSavingsPayload,
  WithdrawFromSubAccountInput,
  WithdrawFromSubAccountPayload,
} from "../../schema/mutations/funds.js";
import { SavingsRedemption } from "../../schema/savings.js";
import { WRITE } from "../fieldCosts.js";
import { accountField, mutation, resolversOf } from "../fieldTable.js";
import { type Written, write } from "./write.js";

const INPUT = "The movement of funds, and the options of the write";

const NO_REDEMPTION = { orderId: null, status: null };
const NO_CONVERSION = { toCoin: null, toAmount: null, price: null, createdTime: null };
const NO_WITHDRAWAL = { orderId: null, clientOid: null };

export const FundsMutations = resolversOf(null, {
  redeemSavings: mutation("earn", RedeemSavingsPayload, {
    description:
      "Redeems a savings product. A lost answer is looked up in the redemptions; for fixed savings it stays UNKNOWN if it is not found there. Source: POST /api/v2/earn/savings/redeem",
    cost: WRITE,
    input: RedeemSavingsInput,
    says: INPUT,
    audits: ["orderId", "productId", "amount"],
    resolve: (context, input) =>
      write(context, input, redeemSavings, (reply) => ({ ...(reply ?? NO_REDEMPTION), periodType: input.periodType })),
  }),
  convert: mutation("trade", ConvertPayload, {
    description:
      "Converts one coin into another at a quotation of `account.convertQuote`. A lost answer is looked up in the conversions. Source: POST /api/v2/convert/trade",
    cost: WRITE,
    input: ConvertInput,
    says: INPUT,
    audits: ["fromCoin", "toCoin"],
    resolve: (context, input) => write(context, input, convert, (reply) => reply ?? NO_CONVERSION),
  }),
  withdrawFromSubAccount: mutation("withdraw", WithdrawFromSubAccountPayload, {
    description:
      "Starts a withdrawal from a broker's sub-account, to an address that the gateway's configuration allows; any other is `FORBIDDEN`. A lost answer is looked up in the withdrawals. Source: POST /api/v2/broker/account/subaccount-withdrawal",
    cost: WRITE,
    input: WithdrawFromSubAccountInput,
    says: INPUT,
    audits: ["clientOid", "subUid", "coin", "amount", "dest", "chain", "address", "tag"],
    resolve: (context, input) => write(context, input, withdrawFromSubAccount, (reply) => reply ?? NO_WITHDRAWAL),
  }),
});

/** A redemption with the kind of term, which its result is asked for by. */
type Redeemed = Written<Pick<RedeemSavingsPayload, "orderId"> & Pick<RedeemSavingsInput, "periodType">>;

export const RedeemedSavingsResolver = resolversOf(RedeemSavingsPayload, {
  redemption: accountField.orNull(SavingsRedemption, {
    description:
      "How the redemption ended; null unless it was accepted under an identifier. Source: as `account.earn.savings.redemption`",
    cost: { calls: 1 },
    resolve: async ({ account, orderId, periodType }: Redeemed, { reads }) =>
      account === undefined || orderId === null ? null : readRedemption(reads, account, { orderId, periodType }),
  }),
});
