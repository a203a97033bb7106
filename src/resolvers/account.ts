import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { Account } from "../schema/account.js";
import { Broker } from "../schema/broker.js";
import { AccountMode } from "../schema/enums/account.js";
import { Loans } from "../schema/loan.js";
import { Needs } from "../schema/needs.js";
import { Earn } from "../schema/sharkFin.js";
import type { RequestContext } from "./context.js";

/** What an account must be open for to be listed. */
const LISTED = "read:account";

/** An account, and the parts of it that stand for an account's business of one kind: those hold the account alone. */
@Resolver(() => Account)
export class AccountResolver {
  @Needs(LISTED)
  @Query(() => [Account], { description: "Every account of this gateway that the caller may read" })
  accounts(@Ctx() { asker: { rights }, reads }: RequestContext): readonly ExchangeAccount[] {
    return reads.exchange.accounts.filter(({ name }) => rights.on(LISTED, name));
  }

  @Needs(LISTED, "name")
  @Query(() => Account, {
    nullable: true,
    description: "One account; null when there is none of that name, or none that the caller may know of",
  })
  account(
    @Ctx() { reads }: RequestContext,
    @Arg("name", () => String, {
      nullable: true,
      description: "Its name in this gateway; if left out, the first account that the caller may do anything with",
    })
    name?: string | null,
  ): ExchangeAccount | null {
    return reads.exchange.account(name) ?? null;
  }

  @Needs("read:account")
  @FieldResolver(() => AccountMode, {
    nullable: true,
    description:
      "Which generation the account lives in. Asked once and remembered. Source: GET /api/v3/account/settings, which a Classic account is refused",
  })
  mode(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<AccountMode> {
    return reads.modeOf(account);
  }

  @Needs("read:account")
  @FieldResolver(() => Loans, { description: "Crypto loans: running, past, and what they add up to" })
  loans(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }

  @Needs("read:account")
  @FieldResolver(() => Earn, { description: "Earn products: what the account has put in to earn interest" })
  earn(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }

  @Needs("read:account")
  @FieldResolver(() => Broker, { description: "The account's business as an ND broker" })
  broker(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }
}
