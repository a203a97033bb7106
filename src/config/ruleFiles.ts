import { isDecimalText } from "@exchange-graph/contract/decimal";
import { PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import { z } from "zod";
import { ACCOUNT_NAME } from "../datasources/calls/index.js";
import type { AllowedAddress, LimitBook, TradingLimits } from "../datasources/writes/index.js";
import { changeableByOthers, type GuardedFile, type ReloadedFiles, readGuarded, readGuardedJson } from "../files/guardedFile.js";
import { LOG_LEVELS, type LogLevel, type Variable } from "./variables.js";

const MAX_ENTRIES = 1_000;
const MAX_SYMBOLS = 5_000;
const MAX_PER_SECOND = 10_000;
const PER_SECOND = `must be a whole number from 0 to ${MAX_PER_SECOND}`;

/** Categories by their names in the graph. */
const CATEGORIES = new Map(PRODUCT_CATEGORIES.map((category) => [category.replace("-", "_"), category]));

const decimal = z
  .string({ error: 'must be decimal text such as "0.5"' })
  .max(60, "must have at most 60 characters")
  .refine((text) => isDecimalText(text) && !text.startsWith("-"), 'must be decimal text of 0 or more, such as "0.5"');

/** A record as a map: its keys are arbitrary names. */
const mapOf = <T extends z.ZodType>(key: z.ZodString, value: T, error: string) =>
  z
    .record(key, value, { error })
    .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`)
    .transform((entries): ReadonlyMap<string, z.output<T>> => new Map(Object.entries(entries)));

const coin = z
  .string()
  .max(64)
  .refine((name) => /^\S+$/.test(name) && name === name.toUpperCase(), "must be a coin in capitals such as BTC");

const amount = z.strictObject(
  {
    value: decimal.optional(),
    coins: mapOf(coin, decimal, 'must be amounts by coin, such as {"BTC": "0.5"}').default(new Map()),
  },
  { error: (issue) => (issue.code === "invalid_type" ? "must be {value?, coins?}" : undefined) },
);

const limits = z.strictObject(
  {
    categories: z
      .array(
        z
          .string()
          .refine((name) => CATEGORIES.has(name), `must be one of ${[...CATEGORIES.keys()].join(", ")}`)
          .transform((name) => CATEGORIES.get(name) ?? z.NEVER),
        { error: "must be a list of categories" },
      )
      .transform((names) => new Set(names))
      .optional(),
    symbols: z
      .array(z.string({ error: "must be text" }).min(1, "must not be empty").max(64, "must have at most 64 characters"), {
        error: "must be a list of symbols",
      })
      .max(MAX_SYMBOLS, `must name at most ${MAX_SYMBOLS} symbols`)
      .transform((names) => new Set(names.map((name) => name.toUpperCase())))
      .optional(),
    priceBand: decimal.optional(),
    ordersPerSecond: z.int(PER_SECOND).min(0, PER_SECOND).max(MAX_PER_SECOND, PER_SECOND).optional(),
    order: amount.optional(),
    open: amount.optional(),
    day: amount.optional(),
  },
  {
    error: (issue) =>
      issue.code === "invalid_type"
        ? "must be {categories?, symbols?, priceBand?, ordersPerSecond?, order?, open?, day?}"
        : undefined,
  },
) satisfies z.ZodType<TradingLimits>;

const account = z.string().refine((name) => name === "*" || ACCOUNT_NAME.test(name), "must be the name of an account, or *");
const client = z
  .string()
  .max(300)
  .refine(
    (name) => /^(?:\*|anyone|token:[\w-]{1,32}|jwt:.+)$/.test(name),
    "must be token:<id>, jwt:<subject>, anyone, or * for each other client",
  );

const book = z.strictObject({
  accounts: mapOf(account, limits, "must be limits by account").default(new Map()),
  clients: mapOf(client, limits, "must be limits by client").default(new Map()),
}) satisfies z.ZodType<LimitBook>;

/** Reads the trading limits from a JSON file that only its owner may change. */
export const readLimitsFile = (path: string): GuardedFile<LimitBook> => readGuardedJson(path, changeableByOthers, book);

export type RuleFiles = ReturnType<typeof ruleFiles>;

/** The files of rules that these variables name; `undefined` for one that is not set. */
export const ruleFiles = (values: { readonly [V in Variable]?: string }) => ({
  limits: ruleFile("LIMITS_FILE", values.LIMITS_FILE, readLimitsFile),
  withdrawals: ruleFile("WITHDRAW_ADDRESSES_FILE", values.WITHDRAW_ADDRESSES_FILE, readWithdrawalsFile),
  /** The manifest of trusted documents, as text. */
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
