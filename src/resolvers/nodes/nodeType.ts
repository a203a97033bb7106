import { z } from "zod";
import type { ExchangeAccount, RequestReads, RequestWrites } from "../../datasources/index.js";
import { findInList, type PagedAccountList, type Pages } from "../../datasources/reads/index.js";
import type { Scope } from "../../schema/scopes.js";
import { type AccountScoped, withAccount } from "../accountScoped.js";
import type { RequestContext } from "../context.js";
import type { Key } from "./globalId.js";

/** Finds a record with certain keys, in its account if it has one; `null` if there is no such record any more. */
type Find = (request: RequestContext, account?: ExchangeAccount) => Promise<object | null>;

/** Identification and look-up of the records of one type. */
export interface NodeType {
  /** Scope that the look-up requires. */
  readonly scope: Scope;
  /** The account of a record; undefined for public data. */
  readonly ownerOf: ((record: object) => ExchangeAccount) | undefined;
  /** What identifies a record within its account, or within its type. */
  keysOf(record: object): readonly Key[];
  /** The list in which a record is found again; undefined if it is looked up otherwise. */
  readonly pages?: Pages;
  /** `undefined` if these cannot be keys of the type. */
  lookup(keys: readonly Key[]): Find | undefined;
}

/** What identifies a record of a type: the names of its fields in their order, and what each can be. */
type Keys = Readonly<Record<string, z.ZodType<Key>>>;
type NodeKeys<S extends Keys> = z.infer<z.ZodObject<S>>;
/** A type whose records have these fields. */
type Keyed<S extends Keys> = new () => { readonly [N in keyof S]: Key };

/** Reads keys by their names; nothing where they are not of the type. */
function reading<S extends Keys>(keys: S): (values: readonly Key[]) => NodeKeys<S> | undefined {
  const names = Object.keys(keys);
  const parser = z.object(keys);
  return (values) =>
    values.length === names.length
      ? parser.safeParse(Object.fromEntries(names.map((name, at) => [name, values[at]]))).data
      : undefined;
}

/** The keys that a record has under these names. */
const keysUnder =
  (names: readonly string[]) =>
  (record: object): readonly Key[] =>
    names.map((name) => Reflect.get(record, name));

/** A type of public data. */
export function marketType<S extends Keys>(
  type: Keyed<S>,
  keys: S,
  find: (reads: RequestReads, keys: NodeKeys<S>) => Promise<object | null>,
): [string, NodeType] {
  const read = reading(keys);
  const lookup: NodeType["lookup"] = (values) => {
    const keys = read(values);
    return keys && (({ reads }) => find(reads, keys));
  };
  return [type.name, { scope: "read:market", ownerOf: undefined, keysOf: keysUnder(Object.keys(keys)), lookup }];
}

/** A type of account data, which is looked up in its account. */
export function accountType<S extends Keys>(
  type: Keyed<S>,
  keys: S,
  find: (reads: RequestReads, account: ExchangeAccount, keys: NodeKeys<S>, writes: RequestWrites) => Promise<object | null>,
): [string, NodeType] {
  const read = reading(keys);
  const lookup: NodeType["lookup"] = (values) => {
    const parsed = read(values);
    if (parsed === undefined) return undefined;
    return async ({ reads, writes }, account) => {
      const record = account === undefined ? null : await find(reads, account, parsed, writes);
      return account === undefined || record === null ? null : withAccount(account, record);
    };
  };
  const ownerOf = (record: object) => (record as AccountScoped<object>).account;
  return [type.name, { scope: "read:account", ownerOf, keysOf: keysUnder(Object.keys(keys)), lookup }];
}

/**
 * A type of account data whose records are found again, by their keys, in a list that they come from. `place`: its filter, and the
 * time of the record (Unix ms); undefined if no list has it. `recordOf`: a row in the graph's words. Default: as it is.
 */
export function listedType<S extends Keys, V, W extends object>(
  type: Keyed<S>,
  keys: S,
  list: PagedAccountList<V, W, Pages>,
  place: (keys: NodeKeys<S>) => { readonly filter: V; readonly time?: number | null } | undefined,
  recordOf: (account: ExchangeAccount, row: W) => object = (_account, row) => row,
): [string, NodeType] {
  const keysOf = keysUnder(Object.keys(keys));
  const [name, nodeType] = accountType(type, keys, async (reads, account, wanted) => {
    const found = place(wanted);
    const values = keysOf(wanted);
    const isWanted = (row: W) => keysOf(recordOf(account, row)).every((key, at) => key === values[at]);
    const row = found === undefined ? null : await findInList(reads, account, { list, ...found }, isWanted);
    return row === null ? null : recordOf(account, row);
  });
  return [name, { ...nodeType, pages: list.pages }];
}
