import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { Account } from "../schema/account.js";
import { Broker } from "../schema/broker.js";
import { Cost } from "../schema/cost.js";
import { Earn } from "../schema/earn.js";
import { AccountMode } from "../schema/enums/account.js";
import { TradingHalt } from "../schema/exchange.js";
import { Loans } from "../schema/loan.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";

/** Scope that an account requires to be listed. */
const LISTED = "read:account";

/** An account, and the objects that group its fields by topic. The value of such an object is the account. */
@Resolver(() => Account)
export class AccountResolver {
  @RequiresScope(LISTED)
  @Cost({ finds: (_args, outlook) => outlook.accounts().map((account) => ({ count: 1, accounts: [account] })) })
  @Query(() => [Account], { description: "Accounts of this gateway that the client may read" })
  accounts(@Ctx() { principal: { rights }, exchange }: RequestContext): readonly ExchangeAccount[] {
    return exchange.accounts.filter(({ name }) => rights.on(LISTED, name));
  }

  @RequiresScope(LISTED, "name")
  @Cost({
    finds({ name }, outlook) {
      const found = outlook.accounts().find((account, at) => (typeof name === "string" ? account.name === name : at === 0));
      return found === undefined ? [] : [{ count: 1, accounts: [found] }];
    },
  })
  @Query(() => Account, {
    nullable: true,
    description: "One account; null if there is none of that name, or the client has no scope for it",
  })
  account(
    @Ctx() { exchange }: RequestContext,
    @Arg("name", () => String, {
      nullable: true,
      description: "Name of the account in this gateway. Default: the first account that the client has a scope for",
    })
    name?: string | null,
  ): ExchangeAccount | null {
    return exchange.account(name) ?? null;
  }

  @RequiresScope("read:account")
  @Cost({ calls: 0 })
  @FieldResolver(() => AccountMode, {
    nullable: true,
    description:
      "Account mode: Classic or unified. Cached for ten minutes. Source: GET /api/v3/account/settings, which a Classic account is refused",
  })
  mode(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<AccountMode> {
    return reads.modeOf(account);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 0 })
  @FieldResolver(() => TradingHalt, {
    nullable: true,
    description:
      "The halt of trading that is in force for the account, its own or that of all; null if there is none. No upstream call",
  })
  halt(@Root() account: ExchangeAccount, @Ctx() { exchange, reads }: RequestContext): TradingHalt | null {
    reads.trace.markFleeting();
    const halt = exchange.writes.halts.of(account);
    if (halt === undefined) return null;
    const { since, by, reason } = halt;
    return { account: halt.account === null ? null : account.name, startTime: since, by, reason };
  }

  @RequiresScope("read:account")
  @FieldResolver(() => Loans, { description: "Crypto loans of the account: ongoing, past and in total" })
  loans(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }

  @RequiresScope("read:account")
  @FieldResolver(() => Earn, { description: "Earn products of the account: savings and shark-fin" })
  earn(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }

  @RequiresScope("read:account")
  @FieldResolver(() => Broker, { description: "The account as an ND broker: its sub-accounts and their withdrawals" })
  broker(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }
}
