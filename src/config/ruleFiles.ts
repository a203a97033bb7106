import { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import { z } from "zod";
import type { AllowedAddress, LimitBook } from "../datasources/writes/index.js";
import { changeableByOthers, type GuardedFile, type ReloadedFiles, readGuarded, readGuardedJson } from "../files/guardedFile.js";
import { readLimitsFile } from "./limitsFile.js";
import { LOG_LEVELS, type LogLevel, type Variable } from "./variables.js";

/** The files of rules; `undefined` for one that is not set. */
export interface RuleFiles {
  readonly limits: ReloadedFiles<LimitBook> | undefined;
  readonly withdrawals: ReloadedFiles<readonly AllowedAddress[]> | undefined;
  /** The manifest of trusted documents, as text. */
  readonly trusted: ReloadedFiles<string> | undefined;
  readonly logLevel: ReloadedFiles<LogLevel> | undefined;
}

/** The files that these variables name. */
export const ruleFiles = (values: { readonly [V in Variable]?: string }): RuleFiles => ({
  limits: ruleFile("LIMITS_FILE", values.LIMITS_FILE, readLimitsFile),
  withdrawals: ruleFile("WITHDRAW_ADDRESSES_FILE", values.WITHDRAW_ADDRESSES_FILE, readWithdrawalsFile),
  trusted: ruleFile("TRUSTED_DOCUMENTS", values.TRUSTED_DOCUMENTS, (path) => readGuarded(path, changeableByOthers)),
  logLevel: ruleFile("LOG_LEVEL_FILE", values.LOG_LEVEL_FILE, readLogLevel),
});

const ruleFile = <T>(
  setting: Variable,
  path: string | undefined,
  read: (path: string) => GuardedFile<T>,
): ReloadedFiles<T> | undefined => (path === undefined ? undefined : { setting, paths: [path], read: () => read(path) });

/** Reads a file with the level of the log, which only its owner may change. */
function readLogLevel(path: string): GuardedFile<LogLevel> {
  const file = readGuarded(path, changeableByOthers);
  if ("mistakes" in file) return file;
  const level = LOG_LEVELS.find((one) => one === file.content.trim());
  return level === undefined ? { mistakes: [`must be one of ${LOG_LEVELS.join(", ")}`] } : { content: level };
}

const MAX_ADDRESSES = 1_000;

const word = z.string({ error: "must be text" }).min(1, "must not be empty").max(256, "must have at most 256 characters");

const address = z.strictObject({
  address: word,
  tag: word.optional(),
  dest: z.enum(WITHDRAWAL_DESTINATIONS, { error: `must be ${WITHDRAWAL_DESTINATIONS.join(" or ")}` }).default("on_chain"),
  account: word.optional(),
  coin: word.optional(),
  chain: word.optional(),
}) satisfies z.ZodType<AllowedAddress>;

const addresses = z
  .array(address, { error: "must be a list of {address, tag?, dest?, account?, coin?, chain?}" })
  .max(MAX_ADDRESSES, `must name at most ${MAX_ADDRESSES} addresses`);

/** Reads the allowed withdrawal addresses from a JSON file that only its owner may change. */
const readWithdrawalsFile = (path: string): GuardedFile<readonly AllowedAddress[]> =>
  readGuardedJson(path, changeableByOthers, addresses);
