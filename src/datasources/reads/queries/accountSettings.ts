import {
  accountSettingsRecord,
  type ClassicAccount,
  classicAccount,
  classicAccountRecord,
  type ModeChange,
  type AccountSettings as UnifiedSettings,
  accountSettings as unifiedSettings,
  upgradeStatus,
} from "@exchange-graph/contract/account";
import { unknownRecord } from "@exchange-graph/contract/codec";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";

type OrNull<T> = { readonly [K in keyof T]: T[K] | null };

/**
 * Identity and settings of an account. A unified account has its modes and configured leverage, a Classic one its membership and
 * the key's permissions; the others are `null`.
 */
type AccountSettings = Pick<UnifiedSettings, "uid"> & OrNull<UnifiedSettings> & OrNull<Omit<ClassicAccount, "userId">>;

const NO_MODES = unknownRecord(accountSettingsRecord);
const NO_MEMBERSHIP = unknownRecord(classicAccountRecord);

/** Reads with the states of upgrades that the same request reads. */
interface UpgradingReads extends Reads {
  readonly loaders: { readonly account: { readonly upgrades: Map<string, Promise<unknown>> } };
  upgradeIs(account: ExchangeAccount, status: ModeChange["status"], endpoints: readonly string[]): void;
}

/**
 * An account's settings, on both API versions. Where the request reads the state of the account's upgrade too, they are read after
 * it, so that the two agree.
 */
export async function readAccountSettings(reads: UpgradingReads, account: ExchangeAccount): Promise<AccountSettings> {
  // The fields of one selection start in the same turn.
  await undefined;
  await reads.loaders.account.upgrades.get(account.name)?.catch(() => undefined);
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const modes = isUnified ? await reads.read(unifiedSettings, {}, account) : NO_MODES;
  const { userId, ...membership } = isUnified ? NO_MEMBERSHIP : await reads.read(classicAccount, {}, account);
  return { ...modes, ...membership, uid: modes.uid ?? userId };
}

/** State of the upgrade of an account. Cached settings and a cached mode that it contradicts are dropped. */
export function readUpgrade(reads: UpgradingReads, account: ExchangeAccount): Promise<ModeChange> {
  const { upgrades } = reads.loaders.account;
  const reading = readUpgradeStatus(reads, account, null).then((change) => {
    reads.upgradeIs(account, change.status, [unifiedSettings.name, classicAccount.name]);
    return change;
  });
  upgrades.set(account.name, reading);
  return reading;
}

/** State of the upgrade of an account, or of one of its sub-accounts. */
export const readUpgradeStatus = (reads: Reads, account: ExchangeAccount, subUid: string | null): Promise<ModeChange> =>
  reads.read(upgradeStatus, { subUid: subUid ?? undefined }, account);
