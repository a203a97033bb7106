import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { DataSource, ExchangeAccount } from "../datasources/index.js";
import { readAccountSettings, readFuturesSettings, readUpgrade, readUpgradeStatus } from "../datasources/reads/index.js";
import { Account, AccountSettings, AccountUpgrade, FuturesSettings } from "../schema/account.js";
import { Broker } from "../schema/broker.js";
import { Cost } from "../schema/cost.js";
import { Earn } from "../schema/earn.js";
import { AccountMode } from "../schema/enums/account.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { TradingHalt } from "../schema/exchange.js";
import { Loans } from "../schema/loan.js";
import { InheritsScope, RequiresScope } from "../schema/requiresScope.js";
import { isAccountBound, SCOPE_NAMES, type Scope } from "../schema/scopes.js";
import { Viewer } from "../schema/viewer.js";
import type { Rights } from "./access/principal.js";
import type { RequestContext } from "./context.js";
import { futuresSettings } from "./fieldCosts.js";

const accountNames = (rights: Rights, scope: Scope, { accounts }: DataSource): readonly string[] =>
  accounts.map(({ name }) => name).filter((name) => rights.on(scope, name));

@Resolver(() => Viewer)
export class ViewerResolver {
  @InheritsScope()
  @Query(() => Viewer, { description: "The client of this request and its scopes" })
  viewer(@Ctx() { principal: { name, rights, expiresAt }, exchange }: RequestContext): Viewer {
    return {
      name,
      isAnonymous: name === null,
      expireTime: expiresAt,
      environment: exchange.environment,
      scopes: SCOPE_NAMES.filter((scope) => rights.has(scope)).map((scope) => ({
        scope,
        accounts: isAccountBound(scope) ? accountNames(rights, scope, exchange) : null,
      })),
    };
  }
}

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

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => AccountSettings, {
    nullable: true,
    description: "Identity and settings of the account. Source: GET /api/v3/account/settings, or GET /api/v2/spot/account/info",
  })
  settings(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<AccountSettings> {
    return readAccountSettings(reads, account);
  }

  @RequiresScope("read:account")
  @Cost(futuresSettings)
  @FieldResolver(() => FuturesSettings, {
    nullable: true,
    description:
      "Position mode, margin mode and leverage of a futures symbol, with or without a position in it. Source: GET /api/v3/account/settings, or GET /api/v2/mix/account/account",
  })
  futuresSettings(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => FuturesCategoryInput, { description: "Futures category of the symbol" })
    category: FuturesCategoryInput,
    @Arg("symbol", () => String, { description: "Symbol name, for example `BTCUSDT`; letter case does not matter" })
    symbol: string,
  ): Promise<FuturesSettings> {
    return readFuturesSettings(reads, account, { category, symbol });
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => AccountUpgrade, {
    nullable: true,
    description:
      "State of the upgrade to a unified account, of this account or of one of its sub-accounts. It and `settings.accountMode` of one answer agree. While it runs (about a minute) this, `settings.accountMode` and market data can be read; fields of either mode fail with `ACCOUNT_MODE_MISMATCH`, which is retryable then. Source: GET /api/v2/spot/account/upgrade-status",
  })
  upgrade(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("subUid", () => String, {
      nullable: true,
      description: "User identifier of a sub-account. Default: the account itself",
    })
    subUid?: string | null,
  ): Promise<AccountUpgrade> {
    return subUid === null || subUid === undefined ? readUpgrade(reads, account) : readUpgradeStatus(reads, account, subUid);
  }
}
