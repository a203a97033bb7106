import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import type { ExchangeAccount } from "./datasources/accounts/exchangeAccount.js";
import { Secret } from "./datasources/secret.js";

const MAX_ACCOUNTS = 50;

/** A key, secret or passphrase: it travels in a header, so it holds no spaces, line ends or characters beyond ASCII. */
export const credential = z
  .string({ error: "must be text" })
  .regex(/^[\x21-\x7e]{1,256}$/, "must be 1 to 256 printable ASCII characters without spaces")
  .transform((text) => new Secret(text));

const account = z
  .strictObject({
    name: z
      .string({ error: "must be text" })
      .regex(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/, "must start with a letter and have at most 32 letters, digits, _ or -"),
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

/** The permission bits of everybody but the owner. Windows keeps its permissions elsewhere. */
const OTHERS = process.platform === "win32" ? 0 : 0o077;

/** What is wrong when others may read or change a file that holds secrets: who can read it can trade. */
export const openToOthers = (path: string, { mode }: { readonly mode: number }): string | undefined =>
  (mode & OTHERS) === 0 ? undefined : `is open to other users (mode ${(mode & 0o777).toString(8)}): run chmod 600 ${path}`;

/** Either the accounts, or what is wrong with the file: one sentence part per mistake, none of which shows its content. */
export type AccountsFile = { readonly accounts: readonly ExchangeAccount[] } | { readonly mistakes: readonly string[] };

/** Reads the accounts from a JSON file that nobody but its owner may read. */
export function readAccountsFile(path: string): AccountsFile {
  let text: string;
  try {
    const open = openToOthers(path, statSync(path));
    if (open !== undefined) return { mistakes: [open] };
    text = readFileSync(path, "utf8");
  } catch (error) {
    return { mistakes: [`cannot be read: ${error instanceof Error && "code" in error ? String(error.code) : String(error)}`] };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text around the fault, which may be a secret.
    return { mistakes: ["is not valid JSON"] };
  }
  const read = accounts.safeParse(json);
  return read.success ? { accounts: read.data } : { mistakes: read.error.issues.map(sentence) };
}

function sentence({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return place === "" ? message : `${place} ${message}`;
}
