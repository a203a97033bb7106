import type { z } from "zod";
import type { ExchangeAccount } from "../../calls/index.js";
import { type ArgumentViolation, badInput, Fault } from "../../errors/index.js";
import type { RequestReads } from "../../reads/index.js";
import { marketViewOf, openRisk } from "../limits/marketView.js";
import { ANONYMOUS } from "../limits/usage.js";
import type { RequestWrites } from "../requestWrites.js";
import { type Plan, rejected, type WriteKey, type WriteOptions, type WriteResult } from "../write.js";
import type { Writes } from "../writes.js";
import { type Given, given } from "./given.js";

/** Definition of a mutation: its name, its reply, and its plan. */
interface Mutation<I extends WriteOptions, R> {
  readonly name: string;
  readonly reply: z.ZodType<R>;
  /** The field with the client's own identifier, if the input has one. */
  readonly namedBy?: keyof I & string;
  readonly plan: (planning: Planning, input: Given<I>) => Promise<Plan<R>>;
}

/** Context of planning. */
export interface Planning {
  readonly reads: RequestReads;
  readonly writes: Writes;
  readonly account: ExchangeAccount;
}

/** A mutation as resolvers call it. */
type Mutate<I, R> = (request: RequestWrites, account: ExchangeAccount, input: I) => Promise<WriteResult<R>>;

/** Makes a mutation. The options are not part of its input for the digest. */
export const mutation =
  <I extends WriteOptions, R>({ name, reply, namedBy, plan }: Mutation<I, R>): Mutate<I, R> =>
  async ({ writes, reads, author }, account, input) => {
    const { writer, limits } = writes;
    const { idempotencyKey, dryRun, ...content } = input;
    if (typeof idempotencyKey === "string" && !KEY.test(idempotencyKey)) return rejected([BAD_KEY]);
    const filledIn = given(input);
    try {
      return await writer.write({
        account,
        author,
        trace: reads.trace,
        requester: reads.requester,
        mutation: name,
        input: content,
        key: keyIn(input, "idempotencyKey") ?? (namedBy && keyIn(input, namedBy)),
        dryRun,
        reply,
        plan: () => plan({ reads, writes, account }, filledIn),
        passLimits: (user, exposure, reserve) =>
          limits.pass(
            {
              user,
              account: account.name,
              client: author?.who ?? ANONYMOUS,
              exposure,
              market: marketViewOf(reads, account),
              openRisk: (since, plansSince) => openRisk(reads, writes.pictures, account, user, since, plansSince),
            },
            reserve,
          ),
      });
    } finally {
      await reads.afterWrite();
    }
  };

/** The text of the field that identifies a write. */
function keyIn<I>(input: I, field: keyof I & string): WriteKey | undefined {
  const text = input[field];
  return typeof text === "string" ? { text, field } : undefined;
}

/**
 * Bounded, because it is stored; lone surrogates are refused, because keys that differ only in them would be stored as the same.
 */
const KEY = /^[^\p{Cc}\p{Cs}]{1,128}$/u;
const BAD_KEY = {
  code: "BAD_USER_INPUT",
  message: "idempotencyKey must be text of 1 to 128 printable characters",
  retryable: false,
  field: "idempotencyKey",
};

/** Throws if an input breaks rules. */
export function refuseBroken(violations: readonly [ArgumentViolation, ...ArgumentViolation[]]): never;
export function refuseBroken(violations: readonly ArgumentViolation[]): void;
export function refuseBroken(violations: readonly ArgumentViolation[]): void {
  if (violations.length > 0) throw badInput(violations);
}

/** Refuses those of `fields` that are set, because this account's mode does not have them. `where` names the mode. */
export const refuseMissing = (where: string, fields: Readonly<Record<string, unknown>>): void =>
  refuseMismatch(
    Object.entries(fields).flatMap(([argument, value]) =>
      value === undefined ? [] : [{ argument, rule: `is not available on ${where}` }],
    ),
  );

/** Classic margin orders are not supported. */
export const refuseClassicMargin = (): void =>
  refuseMismatch([{ argument: "category", rule: "must be another one than MARGIN on a Classic account" }]);

/** Refuses fields of the other API version. */
export function refuseMismatch(violations: readonly [ArgumentViolation, ...ArgumentViolation[]]): never;
export function refuseMismatch(violations: readonly ArgumentViolation[]): void;
export function refuseMismatch(violations: readonly ArgumentViolation[]): void {
  if (violations.length > 0) throw mismatch(violations);
}

/** The fault of what the account's mode does not have. */
export const mismatch = (violations: readonly ArgumentViolation[]): Fault =>
  new Fault("ACCOUNT_MODE_MISMATCH", violations.map(({ argument, rule }) => `${argument} ${rule}`).join("; "), { violations });
