import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { Account } from "../schema/account.js";
import { Broker } from "../schema/broker.js";
import { AccountMode } from "../schema/enums/account.js";
import { Loans } from "../schema/loan.js";
import { Earn } from "../schema/sharkFin.js";
import type { RequestContext } from "./context.js";

/** An account, and the parts of it that stand for an account's business of one kind: those hold the account alone. */
@Resolver(() => Account)
export class AccountResolver {
  @Query(() => [Account], { description: "Every account that this gateway is configured with" })
  accounts(@Ctx() { reads }: RequestContext): readonly ExchangeAccount[] {
    return reads.exchange.accounts;
  }

  @Query(() => Account, { nullable: true, description: "One account; null when there is none of that name" })
  account(
    @Ctx() { reads }: RequestContext,
    @Arg("name", () => String, { nullable: true, description: "Its name in this gateway; the first account if left out" }) name?:
      | string
      | null,
  ): ExchangeAccount | null {
    return reads.exchange.account(name) ?? null;
  }

  @FieldResolver(() => AccountMode, {
    nullable: true,
    description:
      "Which generation the account lives in. Asked once and remembered. Source: GET /api/v3/account/settings, which a Classic account is refused",
  })
  mode(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<AccountMode> {
    return reads.modeOf(account);
  }

  @FieldResolver(() => Loans, { description: "Crypto loans: running, past, and what they add up to" })
  loans(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }

  @FieldResolver(() => Earn, { description: "Earn products: what the account has put in to earn interest" })
  earn(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }

  @FieldResolver(() => Broker, { description: "The account's business as an ND broker" })
  broker(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }
}
