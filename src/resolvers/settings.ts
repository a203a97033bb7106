import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { readAccountSettings } from "../datasources/queries/accountSettings.js";
import { Account } from "../schema/account.js";
import { AccountSettings } from "../schema/accountSettings.js";
import { Needs } from "../schema/needs.js";
import type { RequestContext } from "./context.js";

@Resolver(() => Account)
export class SettingsResolver {
  @Needs("read:account")
  @FieldResolver(() => AccountSettings, {
    nullable: true,
    description:
      "Who the account is and how it is set up. Source: GET /api/v3/account/settings, or GET /api/v2/spot/account/info",
  })
  settings(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<AccountSettings> {
    return readAccountSettings(reads, account);
  }
}
