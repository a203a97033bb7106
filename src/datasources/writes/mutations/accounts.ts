import { readUpgradeStatus } from "../../reads/index.js";
import { done } from "../policies/replies.js";
import { modifySubAccountEmailPolicy, upgradeAccountPolicy } from "../policies/settings.js";
import { plan, type WriteOptions } from "../write.js";
import { mutation, refuseMismatch } from "./mutation.js";

/** A new e-mail address for a broker's sub-account. */
interface ModifySubAccountEmailInput extends WriteOptions {
  readonly subUid: string;
  readonly email: string;
}

/** Changes the address of a broker's sub-account. */
export const modifySubAccountEmail = mutation<ModifySubAccountEmailInput, null>({
  name: "modifySubAccountEmail",
  reply: done,
  plan: async (_, { subUid, email }) =>
    plan(modifySubAccountEmailPolicy, { subUid, subaccountEmail: email }, { subaccountEmail: "email" }),
});

/** The upgrade of a Classic account to a unified one. */
interface UpgradeAccountInput extends WriteOptions {
  /** A sub-account. Default: the account itself. */
  readonly subUid?: string | null | undefined;
}

/**
 * Starts the upgrade from Classic to unified, which takes about a minute. The exchange accepts it for an account that is already
 * unified, and fails it later, so the mode is checked first.
 */
export const upgradeAccount = mutation<UpgradeAccountInput, null>({
  name: "upgradeAccount",
  reply: done,
  plan: async ({ reads, account }, { subUid }) => {
    const argument = subUid === undefined ? "account" : "subUid";
    const isUnified =
      subUid === undefined
        ? (await reads.modeOf(account)) === "UNIFIED"
        : (await readUpgradeStatus(reads, account, subUid)).status === "success";
    if (isUnified)
      refuseMismatch([{ argument, rule: "must be a Classic account: this one is already unified, or being upgraded" }]);
    return plan(upgradeAccountPolicy, { subUid });
  },
});
