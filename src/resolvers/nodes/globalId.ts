import { z } from "zod";
import { badInput, type DataSource, type ExchangeAccount, jsonIn } from "../../datasources/index.js";

const key = z.union([z.string(), z.number(), z.null()]);
/** One of the values that identify a record within its type. */
export type Key = z.infer<typeof key>;

const wire = z.tuple([z.string()], key);
const LONGEST_ID = 1_000;

/** Encodes a type of the graph and a record's keys within it as opaque text. */
export const writeGlobalId = (parts: readonly Key[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");

/** The error for an identifier that this graph cannot have returned. */
export const unknownId = (argument: string): Error => badInput([{ argument, rule: "must be a global identifier of this graph" }]);

/** Decodes an identifier. Throws `BAD_USER_INPUT` if this graph cannot have returned it. */
export function readGlobalId(argument: string, text: string): { readonly typeName: string; readonly keys: readonly Key[] } {
  if (text.length > LONGEST_ID || !/^[\w-]+$/.test(text)) throw unknownId(argument);
  const parsed = wire.safeParse(jsonIn(Buffer.from(text, "base64url").toString("utf8")));
  if (!parsed.success) throw unknownId(argument);
  const [typeName, ...keys] = parsed.data;
  if (writeGlobalId(parsed.data) !== text) throw unknownId(argument);
  return { typeName, keys };
}

/** Maximum wait of an answer for users that are not known yet, ms. Only the first ones wait: each event of a stream would be late. */
const WAIT_MS = 3_000;

/** Users of the exchange, which no account name begins with. */
const USER = "@";
/** Between a user and the name of one of its accounts. */
const NAMED = "/";

/**
 * The account in the global identifiers of its objects: `@user`, with the exchange's user, because names of accounts can change.
 * If a client sees several accounts of one user, all but the first are `@user/name`, so that no two objects share an identifier.
 *
 * An account whose user cannot be read is its name alone, as in all identifiers of 0.2.0.
 */
export function accountKeyOf(exchange: DataSource, account: ExchangeAccount): string | Promise<string> {
  const user = exchange.knownUsers.userOf(account.name);
  if (user !== undefined) return keyOf(exchange, account, user);
  if (isSettled(exchange, account)) return account.name;
  const reading = exchange.users.identify([account], WAIT_MS);
  if (exchange.users.isOverdue(account)) return account.name;
  return reading.then(() => {
    const read = exchange.knownUsers.userOf(account.name);
    return read === undefined ? account.name : keyOf(exchange, account, read);
  });
}

/** Whether another read of its user cannot succeed: the key may not read it, or the account was removed. */
const isSettled = ({ directory, users }: DataSource, account: ExchangeAccount): boolean =>
  directory.find(account.name) === undefined || users.cachedUser(account) !== undefined;

function keyOf({ knownUsers, account: seen }: DataSource, { name }: ExchangeAccount, user: string): string {
  const names = knownUsers.namesBeside(name);
  const first = names.length === 1 ? name : names.find((one) => seen(one) !== undefined);
  return first === name ? `${USER}${user}` : `${USER}${user}${NAMED}${name}`;
}

/** An account, as far as a key can refer to it. */
interface Named {
  readonly name: string;
  /** The exchange's user; undefined if it is not known. */
  readonly user?: string | undefined;
}

/** Whether the account behind a key is looked for by its user. */
export const isByUser = (key: string): boolean => key.startsWith(USER);

/** The account that a key refers to: that of the name; for a user the one with the name in the key, otherwise its first one. */
export function accountIn<A extends Named>(key: string, accounts: readonly A[]): A | undefined {
  if (!isByUser(key)) return accounts.find(({ name }) => name === key);
  const [user, name] = key.slice(USER.length).split(NAMED);
  const own = accounts.filter((account) => account.user === user);
  return own.find((account) => account.name === name) ?? own[0];
}

/**
 * The account that a key refers to, among those that the client sees. Throws `Fault` if it may be one whose user cannot be read
 * now.
 */
export async function accountOf(exchange: DataSource, key: string): Promise<ExchangeAccount | undefined> {
  const found = (): ExchangeAccount | undefined => {
    const seen = exchange.accounts.map((account) => ({
      name: account.name,
      user: exchange.knownUsers.userOf(account.name),
      account,
    }));
    return accountIn(key, seen)?.account;
  };
  const unread = exchange.accounts.filter((account) => exchange.users.cachedUser(account) === undefined);
  const earlier = found();
  if (earlier !== undefined || !isByUser(key) || unread.length === 0) return earlier;
  const failure = await exchange.users.identify(unread, WAIT_MS);
  const read = found();
  if (read === undefined && failure !== undefined) throw failure;
  return read;
}
