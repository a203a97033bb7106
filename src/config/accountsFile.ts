import { z } from "zod";
import { ACCOUNT_NAME, type ExchangeAccount, MAX_ACCOUNTS } from "../datasources/accounts/exchangeAccount.js";
import { type GuardedFile, openToOthers, readGuardedJson } from "../files/guardedFile.js";
import { credential } from "./secrets.js";

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

/** Reads the accounts from a JSON file that nobody but its owner may read. */
export const readAccountsFile = (path: string): GuardedFile<readonly ExchangeAccount[]> =>
  readGuardedJson(path, openToOthers, accounts);
