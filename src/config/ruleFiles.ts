import type { LimitBook } from "../datasources/writes/limits/tradingLimits.js";
import type { AllowedAddress } from "../datasources/writes/rules/withdrawalAddresses.js";
import { changeableByOthers, type GuardedFile, readGuarded } from "../files/guardedFile.js";
import { readLimitsFile } from "./limitsFile.js";
import type { Variable } from "./variables.js";
import { readWithdrawalsFile } from "./withdrawalsFile.js";

/** A file with rules, which is read again when it changes. */
export interface RuleFile<T> {
  readonly setting: Variable;
  readonly paths: readonly string[];
  readonly read: () => GuardedFile<T>;
}

/** The files that decide what may be done; `undefined` where none is named. */
export interface RuleFiles {
  readonly limits: RuleFile<LimitBook> | undefined;
  readonly withdrawals: RuleFile<readonly AllowedAddress[]> | undefined;
  /** The manifest of trusted documents, as text. */
  readonly trusted: RuleFile<string> | undefined;
}

/** The files that these variables name. */
export const ruleFiles = (given: { readonly [V in Variable]?: string }): RuleFiles => ({
  limits: ruleFile("LIMITS_FILE", given.LIMITS_FILE, readLimitsFile),
  withdrawals: ruleFile("WITHDRAW_ADDRESSES_FILE", given.WITHDRAW_ADDRESSES_FILE, readWithdrawalsFile),
  trusted: ruleFile("TRUSTED_DOCUMENTS", given.TRUSTED_DOCUMENTS, (path) => readGuarded(path, changeableByOthers)),
});

const ruleFile = <T>(
  setting: Variable,
  path: string | undefined,
  read: (path: string) => GuardedFile<T>,
): RuleFile<T> | undefined => (path === undefined ? undefined : { setting, paths: [path], read: () => read(path) });
