import { z } from "zod";
import { ACCOUNT_NAME, type Credentials, type ExchangeAccount, MAX_ACCOUNTS } from "../datasources/calls/index.js";
import type { Secret } from "../datasources/errors/index.js";
import { type GuardedFile, openToOthers, type ReloadedFiles, readGuardedJson } from "../files/guardedFile.js";
import { credential, readSecretFile, SECRETS } from "./secrets.js";

/** Configured accounts, with their files. Each mistake is a complete line that starts with its setting. */
export type AccountSource = ReloadedFiles<readonly ExchangeAccount[]>;

/** The variables of a single account, without a file of accounts. */
const SINGLE_ACCOUNT = ["EXCHANGE_API_KEY", "EXCHANGE_API_SECRET", "EXCHANGE_API_PASSPHRASE"] as const;

const PARTS = {
  EXCHANGE_API_KEY: "apiKey",
  EXCHANGE_API_SECRET: "apiSecret",
  EXCHANGE_API_PASSPHRASE: "passphrase",
} as const satisfies Record<(typeof SINGLE_ACCOUNT)[number], keyof Credentials>;

/** The variables about accounts, after their own validation. */
type AccountVariables = {
  readonly [Name in (typeof SINGLE_ACCOUNT)[number]]?: Secret | undefined;
} & {
  readonly [Name in `${(typeof SINGLE_ACCOUNT)[number]}_FILE` | "EXCHANGE_ACCOUNTS_FILE"]?: string | undefined;
};

const FILE = "EXCHANGE_ACCOUNTS_FILE";

/** The file settings alone, for when another variable is invalid: mistakes in the files are reported together with it. */
export const accountFiles = (values: Readonly<Record<string, string>>): AccountVariables => ({
  EXCHANGE_ACCOUNTS_FILE: values.EXCHANGE_ACCOUNTS_FILE,
  EXCHANGE_API_KEY_FILE: values.EXCHANGE_API_KEY_FILE,
  EXCHANGE_API_SECRET_FILE: values.EXCHANGE_API_SECRET_FILE,
  EXCHANGE_API_PASSPHRASE_FILE: values.EXCHANGE_API_PASSPHRASE_FILE,
});

const lines = <T>(setting: string, file: GuardedFile<T>): GuardedFile<T> =>
  "mistakes" in file ? { mistakes: file.mistakes.map((text) => `${setting}: ${text}`) } : file;

/** The source of the accounts; `undefined` if none are configured. Without paths the accounts never change. */
export function accountSource(settings: AccountVariables): AccountSource | undefined {
  const { EXCHANGE_ACCOUNTS_FILE: path } = settings;
  if (path !== undefined) return { setting: FILE, paths: [path], read: () => lines(FILE, readAccountsFile(path)) };
  const named = SINGLE_ACCOUNT.flatMap((name) => {
    const file = settings[`${name}_FILE`];
    return file === undefined ? [] : [{ setting: `${name}_FILE`, path: file }];
  });
  if (named.length === 0 && SINGLE_ACCOUNT.every((name) => settings[name] === undefined)) return undefined;
  return {
    setting: named.map(({ setting }) => setting).join(", "),
    paths: named.map((file) => file.path),
    // The exchange would refuse a new key with a former secret or passphrase.
    waitsForOthers: "ALWAYS",
    read: () => readSingle(settings),
  };
}

/** Reads the account `main` from its variables. */
function readSingle(settings: AccountVariables): GuardedFile<readonly ExchangeAccount[]> {
  const credentials: Partial<Record<keyof Credentials, Secret>> = {};
  const mistakes: string[] = [];
  for (const name of SINGLE_ACCOUNT) {
    const path = settings[`${name}_FILE`];
    const file = path === undefined ? { content: settings[name] } : lines(`${name}_FILE`, readSecretFile(path, SECRETS[name]));
    if ("mistakes" in file) mistakes.push(...file.mistakes);
    else if (file.content !== undefined) credentials[PARTS[name]] = file.content;
  }
  const { apiKey, apiSecret, passphrase } = credentials;
  if (apiKey === undefined || apiSecret === undefined || passphrase === undefined) return { mistakes };
  return { content: [{ name: "main", credentials: { apiKey, apiSecret, passphrase }, isCopyTrader: false }] };
}

/** Contradictions between settings of accounts; `values` are the variables that are set. */
export function accountContradictions(values: Readonly<Record<string, string>>): string[] {
  const isSet = (name: string): boolean => Object.hasOwn(values, name) && !(name === "EXCHANGE_DEMO" && values[name] === "0");
  const isGiven = (name: string): boolean => isSet(name) || isSet(`${name}_FILE`);
  const keys = SINGLE_ACCOUNT.filter(isGiven);
  const missing = SINGLE_ACCOUNT.filter((name) => !isGiven(name));
  const hasFile = isSet("EXCHANGE_ACCOUNTS_FILE");
  const found: string[] = [];
  if (keys.length > 0 && hasFile)
    found.push(`EXCHANGE_ACCOUNTS_FILE: cannot be combined with ${keys.join(", ")}: set one of the two`);
  else if (keys.length > 0) found.push(...missing.map((name) => `${name}: is required together with ${keys.join(" and ")}`));
  if (!isSet("EXCHANGE_BASE_URL")) {
    const needing = [...keys, ...["EXCHANGE_ACCOUNTS_FILE", "EXCHANGE_WS_URL", "EXCHANGE_DEMO"].filter(isSet)];
    if (needing.length > 0) found.push(`EXCHANGE_BASE_URL: is missing, ${needing.join(", ")} cannot be used without it`);
  } else if (keys.length === 0 && !hasFile)
    found.push(`EXCHANGE_BASE_URL: needs an account: set ${SINGLE_ACCOUNT.join(", ")}, or EXCHANGE_ACCOUNTS_FILE`);
  return found;
}

const account = z
  .strictObject({
    name: z
      .string({ error: "must be text" })
      .regex(ACCOUNT_NAME, "must start with a letter and have at most 32 letters, digits, _ or -"),
    apiKey: credential,
    apiSecret: credential,
    passphrase: credential,
    copyTrader: z.boolean({ error: "must be true or false" }).default(false),
  })
  .transform(({ name, copyTrader, ...credentials }): ExchangeAccount => ({ name, credentials, isCopyTrader: copyTrader }));

const accounts = z
  .array(account, { error: "must be a list of {name, apiKey, apiSecret, passphrase, copyTrader?}" })
  .min(1, "must name at least one account")
  .max(MAX_ACCOUNTS, `must name at most ${MAX_ACCOUNTS} accounts`)
  .superRefine((list, context) => {
    list.forEach(({ name }, index) => {
      if (list.findIndex((other) => other.name === name) < index)
        context.addIssue({ code: "custom", path: [index, "name"], message: `must be unique, "${name}" is there twice` });
    });
  });

/** Reads the accounts from a JSON file that only its owner may read. */
const readAccountsFile = (path: string): GuardedFile<readonly ExchangeAccount[]> => readGuardedJson(path, openToOthers, accounts);
