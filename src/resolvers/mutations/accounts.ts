import { readUpgradeStatus } from "../../datasources/reads/index.js";
import { modifySubAccountEmail, upgradeAccount } from "../../datasources/writes/index.js";
import { SubAccount } from "../../schema/broker.js";
import {
  AccountUpgrade,
  ModifySubAccountEmailInput,
  ModifySubAccountEmailPayload,
  UpgradeAccountInput,
  UpgradeAccountPayload,
} from "../../schema/mutations/accounts.js";
import { WRITE } from "../fieldCosts.js";
import { accountField, mutation, resolversOf } from "../fieldTable.js";
import { type Written, write } from "./write.js";

const INPUT = "The new address or the account to upgrade, and the options of the write";

export const AccountMutations = resolversOf(null, {
  modifySubAccountEmail: mutation("broker", ModifySubAccountEmailPayload, {
    description:
      "Changes the e-mail address of a broker's sub-account. Source: POST /api/v2/broker/account/modify-subaccount-email",
    cost: WRITE,
    input: ModifySubAccountEmailInput,
    says: INPUT,
    audits: ["subUid"],
    resolve: (context, input) => write(context, input, modifySubAccountEmail, () => ({ subUid: input.subUid })),
  }),
  upgradeAccount: mutation("admin", UpgradeAccountPayload, {
    description:
      "Starts the upgrade of a Classic account, or of one of its sub-accounts, to a unified one. Source: POST /api/v2/spot/account/upgrade",
    cost: WRITE,
    input: UpgradeAccountInput,
    says: INPUT,
    audits: ["subUid"],
    resolve: (context, input) => write(context, input, upgradeAccount, () => ({ subUid: input.subUid ?? null })),
  }),
});

export const ModifiedSubAccountResolver = resolversOf(ModifySubAccountEmailPayload, {
  subAccount: accountField.orNull(SubAccount, {
    description: "The sub-account, whose `contact` has the new address; null unless accepted",
    resolve: ({ outcome, account, subUid }: Written<ModifySubAccountEmailPayload & { readonly subUid: string }>) =>
      outcome !== "ACCEPTED" || account === undefined ? null : { account, subUid },
  }),
});

export const UpgradedAccountResolver = resolversOf(UpgradeAccountPayload, {
  upgrade: accountField.orNull(AccountUpgrade, {
    description:
      "State of the upgrade right after the write; null unless that was accepted. Source: GET /api/v2/spot/account/upgrade-status",
    cost: { calls: 1 },
    resolve: async (
      { outcome, account, subUid }: Written<UpgradeAccountPayload & { readonly subUid: string | null }>,
      { reads },
    ) => (outcome !== "ACCEPTED" || account === undefined ? null : readUpgradeStatus(reads, account, subUid)),
  }),
});
