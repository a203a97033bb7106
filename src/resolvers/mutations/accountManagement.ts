import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import { readUpgradeStatus } from "../../datasources/reads/index.js";
import { modifySubAccountEmail, upgradeAccount } from "../../datasources/writes/index.js";
import { AccountUpgrade } from "../../schema/account.js";
import { SubAccount } from "../../schema/broker.js";
import { Cost } from "../../schema/cost.js";
import { text } from "../../schema/fields.js";
import { WriteInput, WritePayload } from "../../schema/mutations/write.js";
import { extended, Input, RecordType } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { AccountScoped } from "../accountScoped.js";
import type { RequestContext } from "../context.js";
import { WRITE } from "../fieldCosts.js";
import { Audited } from "./observeMutations.js";
import { type WrittenPayload, write } from "./write.js";

@Input("A new e-mail address for a broker's sub-account")
export class ModifySubAccountEmailInput extends extended(WriteInput, {
  subUid: text("User identifier of the sub-account"),
  email: text("The new address"),
}) {}

@RecordType("A sub-account whose e-mail address was changed", { implements: WritePayload })
export class ModifySubAccountEmailPayload extends WritePayload {}

@Input("The upgrade of a Classic account to a unified one. It takes about a minute")
export class UpgradeAccountInput extends extended(WriteInput, {
  subUid: text.optional("User identifier of a sub-account. Default: the account itself"),
}) {}

@RecordType("An upgrade that was started", { implements: WritePayload })
export class UpgradeAccountPayload extends WritePayload {}

const INPUT = "The new address or the account to upgrade, and the options of the write";

@Resolver()
export class AccountMutations {
  @RequiresScope("broker", "input", "account")
  @Cost(WRITE)
  @Audited("subUid")
  @Mutation(() => ModifySubAccountEmailPayload, {
    description:
      "Changes the e-mail address of a broker's sub-account. Source: POST /api/v2/broker/account/modify-subaccount-email",
  })
  modifySubAccountEmail(
    @Arg("input", () => ModifySubAccountEmailInput, { description: INPUT }) input: ModifySubAccountEmailInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<ModifySubAccountEmailPayload>> {
    return write(context, input, modifySubAccountEmail, () => ({ subUid: input.subUid }));
  }

  @RequiresScope("admin", "input", "account")
  @Cost(WRITE)
  @Audited("subUid")
  @Mutation(() => UpgradeAccountPayload, {
    description:
      "Starts the upgrade of a Classic account, or of one of its sub-accounts, to a unified one. Source: POST /api/v2/spot/account/upgrade",
  })
  upgradeAccount(
    @Arg("input", () => UpgradeAccountInput, { description: INPUT }) input: UpgradeAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<UpgradeAccountPayload>> {
    return write(context, input, upgradeAccount, () => ({ subUid: input.subUid ?? null }));
  }
}

@Resolver(() => ModifySubAccountEmailPayload)
export class ModifiedSubAccountResolver {
  @RequiresScope("read:account")
  @FieldResolver(() => SubAccount, {
    nullable: true,
    description: "The sub-account, whose `contact` has the new address; null unless accepted",
  })
  subAccount(
    @Root() { outcome, account, subUid }: WrittenPayload<ModifySubAccountEmailPayload & { readonly subUid: string }>,
  ): AccountScoped<{ readonly subUid: string }> | null {
    return outcome !== "ACCEPTED" || account === undefined ? null : { account, subUid };
  }
}

@Resolver(() => UpgradeAccountPayload)
export class UpgradedAccountResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => AccountUpgrade, {
    nullable: true,
    description:
      "State of the upgrade right after the write; null unless that was accepted. Source: GET /api/v2/spot/account/upgrade-status",
  })
  async upgrade(
    @Root() { outcome, account, subUid }: WrittenPayload<UpgradeAccountPayload & { readonly subUid: string | null }>,
    @Ctx() { reads }: RequestContext,
  ): Promise<AccountUpgrade | null> {
    return outcome !== "ACCEPTED" || account === undefined ? null : readUpgradeStatus(reads, account, subUid);
  }
}
