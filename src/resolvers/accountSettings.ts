import { Arg, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { readAccountSettings, readFuturesSettings, readUpgrade, readUpgradeStatus } from "../datasources/reads/index.js";
import { Account, AccountSettings, FuturesSettings } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { AccountUpgrade } from "../schema/mutations/accountManagement.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";
import { futuresSettings } from "./fieldCosts.js";

@Resolver(() => Account)
export class SettingsResolver {
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
