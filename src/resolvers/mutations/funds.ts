import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import { readRedemption } from "../../datasources/reads/index.js";
import { convert, redeemSavings, withdrawFromSubAccount } from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import {
  ConvertInput,
  ConvertPayload,
  RedeemSavingsInput,
  RedeemSavingsPayload,
  WithdrawFromSubAccountInput,
  WithdrawFromSubAccountPayload,
} from "../../schema/mutations/funds.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { SavingsRedemption } from "../../schema/savings.js";
import type { RequestContext } from "../context.js";
import { WRITE } from "../fieldCosts.js";
import { Audited } from "./observed.js";
import { type Written, write } from "./write.js";

const INPUT = "The movement of funds, and the options of the write";

const NO_REDEMPTION = { orderId: null, status: null };
const NO_CONVERSION = { toCoin: null, toAmount: null, price: null, createdTime: null };
const NO_WITHDRAWAL = { orderId: null, clientOid: null };

@Resolver()
export class FundsMutations {
  @RequiresScope("earn", "input", "account")
  @Cost(WRITE)
  @Audited("orderId", "productId", "amount")
  @Mutation(() => RedeemSavingsPayload, {
    description:
      "Redeems a savings product. A lost answer is looked up in the redemptions; for fixed savings it stays UNKNOWN if it is not found there. Source: POST /api/v2/earn/savings/redeem",
  })
  redeemSavings(
    @Arg("input", () => RedeemSavingsInput, { description: INPUT }) input: RedeemSavingsInput,
    @Ctx() context: RequestContext,
  ): Promise<Written<RedeemSavingsPayload>> {
    return write(context, input, redeemSavings, (reply) => ({ ...(reply ?? NO_REDEMPTION), periodType: input.periodType }));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("fromCoin", "toCoin")
  @Mutation(() => ConvertPayload, {
    description:
      "Converts one coin into another at a quotation of `account.convertQuote`. A lost answer is looked up in the conversions. Source: POST /api/v2/convert/trade",
  })
  convert(
    @Arg("input", () => ConvertInput, { description: INPUT }) input: ConvertInput,
    @Ctx() context: RequestContext,
  ): Promise<Written<ConvertPayload>> {
    return write(context, input, convert, (reply) => reply ?? NO_CONVERSION);
  }

  @RequiresScope("withdraw", "input", "account")
  @Cost(WRITE)
  @Audited("clientOid", "subUid", "coin", "amount", "dest", "chain", "address", "tag")
  @Mutation(() => WithdrawFromSubAccountPayload, {
    description:
      "Starts a withdrawal from a broker's sub-account, to an address that the gateway's configuration allows; any other is `FORBIDDEN`. A lost answer is looked up in the withdrawals. Source: POST /api/v2/broker/account/subaccount-withdrawal",
  })
  withdrawFromSubAccount(
    @Arg("input", () => WithdrawFromSubAccountInput, { description: INPUT }) input: WithdrawFromSubAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<Written<WithdrawFromSubAccountPayload>> {
    return write(context, input, withdrawFromSubAccount, (reply) => reply ?? NO_WITHDRAWAL);
  }
}

/** A redemption with the kind of term, which its result is asked for by. */
type Redeemed = Written<Pick<RedeemSavingsPayload, "orderId"> & Pick<RedeemSavingsInput, "periodType">>;

@Resolver(() => RedeemSavingsPayload)
export class RedeemedSavingsResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => SavingsRedemption, {
    nullable: true,
    description:
      "How the redemption ended; null unless it was accepted under an identifier. Source: as `account.earn.savings.redemption`",
  })
  async redemption(
    @Root() { account, orderId, periodType }: Redeemed,
    @Ctx() { reads }: RequestContext,
  ): Promise<SavingsRedemption | null> {
    return account === undefined || orderId === null ? null : readRedemption(reads, account, { orderId, periodType });
  }
}
