import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { isObject } from "@exchange-graph/contract/json";
import type { FuturesCategory, FuturesProductType, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { z } from "zod";
import type { ExchangeAccount } from "../../calls/index.js";
import { type ArgumentViolation, badInput, Fault, ifFault } from "../../errors/index.js";
import { isFuturesCategory, marginCoinOf, type RequestReads, type SymbolRules } from "../../reads/index.js";
import { BatchRefused } from "../batchAssembly.js";
import { marketViewOf, openRisk } from "../limits/marketView.js";
import { ANONYMOUS } from "../limits/usage.js";
import type { WritePolicy } from "../policies/policy.js";
import { refusalsIn } from "../preparation.js";
import { alone, callsFor } from "../writeBatch.js";
import type { WriteKey, WriteOptions, WritePlan, WriteRequest, WriteResult } from "../writePlan.js";
import type { RequestWrites, Writes } from "../writes.js";

interface Mutation<I extends WriteOptions, R> {
  readonly name: string;
  readonly reply: z.ZodType<R>;
  /** The field with the client's own identifier, if the input has one. */
  readonly namedBy?: keyof I & string;
  readonly plan: (planning: Planning, input: WithoutNulls<I>) => Promise<WritePlan<R>>;
}

export interface Planning {
  readonly reads: RequestReads;
  readonly writes: Writes;
  readonly account: ExchangeAccount;
}

interface Mutate<I, R> {
  (request: RequestWrites, account: ExchangeAccount, input: I): Promise<WriteResult<R>>;
  /** Sends several writes in one batch: all of them, or none. */
  together(request: RequestWrites, account: ExchangeAccount, inputs: readonly I[]): Promise<readonly WriteResult<R>[]>;
  /** The inputs, by the calls that would carry them together; one that breaks a rule is by itself. */
  byCall<J extends I>(request: RequestWrites, account: ExchangeAccount, inputs: readonly J[]): Promise<readonly (readonly J[])[]>;
}

/** Makes a mutation. The options are not part of its input for the digest. */
export function mutation<I extends WriteOptions, R>({ name, reply, namedBy, plan }: Mutation<I, R>): Mutate<I, R> {
  const nameOf = (input: I): WriteKey | undefined => namedBy && keyIn(input, namedBy);
  const keyOf = (input: I): WriteKey | undefined => keyIn(input, "idempotencyKey") ?? nameOf(input);
  const requestOf = ({ writes, reads, author }: RequestWrites, account: ExchangeAccount, input: I): WriteRequest<R> => {
    const { idempotencyKey, dryRun, ...content } = input;
    const filledIn = withoutNulls(input);
    return {
      account,
      author,
      trace: reads.trace,
      requester: reads.requester,
      mutation: name,
      input: content,
      key: keyOf(input),
      dryRun,
      reply,
      plan: () => plan({ reads, writes, account }, filledIn),
      passLimits: (user, charged, terms) =>
        writes.limits.pass(
          {
            user,
            account: account.name,
            client: author?.who ?? ANONYMOUS,
            charged,
            market: marketViewOf(reads, account),
            openRisk: (since, plansSince) => openRisk(reads, writes.riskSnapshots, account, user, since, plansSince),
          },
          terms,
        ),
    };
  };
  const one = async (request: RequestWrites, account: ExchangeAccount, input: I): Promise<WriteResult<R>> => {
    const refused = refusedKeys([input], [keyOf, nameOf]);
    if (refused !== undefined) return alone(refused);
    const written = request.writes.writer.write(requestOf(request, account, input)).then((result) => [result]);
    return alone(await shownToReads(request.reads, written));
  };
  const together: Mutate<I, R>["together"] = async (request, account, inputs) => {
    const refused = refusedKeys(inputs, [keyOf, nameOf]);
    if (refused !== undefined) return refused;
    const written = request.writes.writer.writeTogether(inputs.map((input) => requestOf(request, account, input)));
    return shownToReads(request.reads, written);
  };
  const byCall = async <J extends I>({ reads, writes }: RequestWrites, account: ExchangeAccount, inputs: readonly J[]) => {
    // A write reports its own fault later.
    const planned = await Promise.all(
      inputs.map(async (input) => ({ input, plan: await plan({ reads, writes, account }, withoutNulls(input)).catch(ifFault) })),
    );
    const broken = planned.flatMap((one) => (one.plan === undefined ? [[one.input]] : []));
    const sound = planned.flatMap((one) => (one.plan === undefined ? [] : [{ ...one, plan: one.plan }]));
    const calls = callsFor(sound.map((one) => one.plan));
    return [...calls.map(({ places }) => sound.filter((_, at) => places.includes(at)).map(({ input }) => input)), ...broken];
  };
  return Object.assign(one, { together, byCall });
}

/**
 * Waits until no later read of the request has an answer from before its writes, and returns their results. Writes that were not
 * sent have changed nothing: a refusal does not wait for other replicas.
 */
async function shownToReads<R>(
  reads: RequestReads,
  written: Promise<readonly WriteResult<R>[]>,
): Promise<readonly WriteResult<R>[]> {
  const [end] = await Promise.allSettled([written]);
  if (end.status === "rejected" || end.value.some(({ entry }) => entry !== null)) await reads.afterWrite();
  return written;
}

/**
 * The refusals of inputs of which one has a malformed key, or an identifier that an earlier one has. The answer to a call names its
 * orders by the client's own identifiers, so these differ even under different keys.
 */
function refusedKeys<I extends WriteOptions>(
  inputs: readonly I[],
  identifiers: readonly ((input: I) => WriteKey | undefined)[],
): readonly WriteResult<never>[] | undefined {
  const unique = identifiers.map((identifier) => ({ identifier, places: new Map<string, number>() }));
  const faults = inputs.map((input, at) => {
    if (typeof input.idempotencyKey === "string" && !KEY.test(input.idempotencyKey))
      return badInput([{ argument: "idempotencyKey", rule: "must be text of 1 to 128 printable characters" }]);
    for (const { identifier, places } of unique) {
      const { text, field: argument } = identifier(input) ?? {};
      if (text === undefined || argument === undefined) continue;
      const before = places.get(text);
      if (before !== undefined) return badInput([{ argument, rule: `must differ from that of orders.${before}` }]);
      places.set(text, at);
    }
    return undefined;
  });
  return faults.every((fault) => fault === undefined) ? undefined : refusalsIn(new BatchRefused(faults), inputs.length);
}

/** The text of the field that identifies a write. */
function keyIn<I>(input: I, field: keyof I & string): WriteKey | undefined {
  const text = input[field];
  return typeof text === "string" ? { text, field } : undefined;
}

/**
 * Bounded, because it is stored; lone surrogates are refused, because keys that differ only in them would be stored as the same.
 */
const KEY = /^[^\p{Cc}\p{Cs}]{1,128}$/u;

/** Refuses an input because of one of its fields. */
export function refuse(argument: string, rule: string): never {
  throw badInput([{ argument, rule }]);
}

/** Throws if an input breaks rules. */
export function refuseBroken(violations: readonly ArgumentViolation[]): void {
  if (violations.length > 0) throw badInput(violations);
}

/** Refuses a field that the account's mode does not have. */
export function refuseMismatch(argument: string, rule: string): never {
  throw mismatch([{ argument, rule }]);
}

/** Refuses those of `fields` that are set, because this account's mode does not have them. `where` names the mode. */
export function refuseMissing(where: string, fields: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(fields).filter((name) => fields[name] !== undefined);
  if (given.length > 0) throw mismatch(given.map((argument) => ({ argument, rule: `is not available on ${where}` })));
}

/** Classic margin orders are not supported. */
export const refuseClassicMargin = (): never => refuseMismatch("category", "must not be MARGIN on a Classic account");

const mismatch = (violations: readonly ArgumentViolation[]): Fault =>
  new Fault("ACCOUNT_MODE_MISMATCH", violations.map(({ argument, rule }) => `${argument} ${rule}`).join("; "), { violations });

/** A contract of Classic futures, as calls name it. */
export const contractOf = <C extends FuturesProductType>(category: C, symbol: string, rules: SymbolRules | undefined) => ({
  symbol: rules?.symbol ?? symbol,
  productType: category,
  marginCoin: marginCoinOf(category, rules),
});

type Planned<R> = WritePlan<R> | Promise<WritePlan<R>>;

/** The calls for a write about an order: the exchange has one for unified accounts, and two for Classic ones. */
interface Routes<R> {
  readonly unified: () => Planned<R>;
  readonly classicFutures: (category: FuturesCategory) => Planned<R>;
  readonly classicSpot: () => Planned<R>;
}

/** Plans a write about an order of this category by the account's mode. */
export async function planByMode<R>(
  { reads, account }: Planning,
  category: ProductCategory,
  { unified, classicFutures, classicSpot }: Routes<R>,
): Promise<WritePlan<R>> {
  if ((await reads.modeOf(account)) === "UNIFIED") return unified();
  if (isFuturesCategory(category)) return classicFutures(category);
  if (category === "MARGIN") refuseClassicMargin();
  return classicSpot();
}

type NullOrMissing<T> = { readonly [K in keyof T]: undefined extends T[K] ? T[K] | null : T[K] };

/** The options of a write, and the parameters of its endpoint, as the contract has them; null stands for a missing one. */
export type InputOf<W extends Pick<WritePolicy, "endpoint">> = WriteOptions & NullOrMissing<ParametersOf<W["endpoint"]>>;

/** An input in which missing fields and nulls are the same. */
export type WithoutNulls<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: WithoutNulls<Exclude<T[K], null>> }
    : T;

/** Removes all null fields. */
export function withoutNulls<T extends object>(input: T): WithoutNulls<T> {
  const kept = Object.entries(input).flatMap(([name, value]: [string, unknown]) =>
    value === null || value === undefined ? [] : [[name, isObject(value) ? withoutNulls(value) : value]],
  );
  return Object.fromEntries(kept) as WithoutNulls<T>;
}
