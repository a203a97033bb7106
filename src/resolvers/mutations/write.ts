import { badInput, type ExchangeAccount, Fault, type RequestWrites } from "../../datasources/index.js";
import {
  type BatchEstimate,
  batchEstimate,
  DONE,
  isClientFault,
  isUnjournaled,
  type OrderEstimate,
  problemsOf,
  rejected,
  type WriteResult,
} from "../../datasources/writes/index.js";
import { MAX_BATCH } from "../../schema/mutations/orders.js";
import type { WriteInput, WritePayload } from "../../schema/mutations/write.js";
import type { OrderIdentifier } from "../../schema/order.js";
import { withAccount } from "../accountScoped.js";
import type { RequestContext } from "../context.js";
import { onlyAccount } from "../guard.js";
import { journalEntryOf } from "./journal.js";

/** The path of an input field. The identifier of an order is in `by`. */
const pathOf = (field: string | null, by: OrderIdentifier | undefined): readonly string[] | null =>
  field === null ? null : by !== undefined && Object.hasOwn(by, field) ? ["by", field] : field.split(".");

/** The fields that all payloads share. */
const payloadOf = (
  { outcome, problems, request, entry, isReplay }: WriteResult<unknown>,
  account?: ExchangeAccount | undefined,
  by?: OrderIdentifier | undefined,
): WritePayload => ({
  outcome,
  userErrors: problems.map(({ code, message, retryable, exchange, field }) => ({
    code,
    message,
    isRetryable: retryable,
    field: pathOf(field, by),
    exchange: exchange ?? null,
  })),
  request,
  isReplay,
  isUnjournaled: entry !== null && isUnjournaled(entry),
  journalEntry:
    entry === null || account === undefined || isUnjournaled(entry) ? null : withAccount(account, journalEntryOf(entry)),
});

/** A payload with its account, which its joins need. It is undefined if the input names an unknown account. */
export type WrittenPayload<P> = P & {
  readonly account: ExchangeAccount | undefined;
  /** Result of a dry run of an order. */
  readonly estimate: OrderEstimate | null;
};

/** The input without the account, and with the identifier of the order it names, if any, among its fields. */
type Content<I> = Omit<I, "account" | "by"> & (I extends { readonly by: infer Identifier } ? Identifier : unknown);

/** The same input, where the identifier of an order is among its fields. */
function contentOf<I extends { readonly by?: OrderIdentifier | undefined }>({ by, ...content }: I): Content<I> {
  return { ...content, ...by } as Content<I>;
}

/**
 * The account of a write: by its name, or without a name the client's only one. Undefined if there is no such account, or several
 * without a name.
 */
const accountOfWrite = (exchange: RequestContext["exchange"], name: string | null | undefined): ExchangeAccount | undefined =>
  name === null || name === undefined ? onlyAccount(exchange) : exchange.account(name);

/** The rule for `account`, with the names that the client sees. */
const accountRule = ({ accounts }: RequestContext["exchange"]): string =>
  `must be the name of an account: ${accounts.map(({ name }) => name).join(", ")}`;

/**
 * Executes a mutation for the account in its input. `reply` converts the exchange's answer, if there is one, to the mutation's
 * fields. Errors that the client can fix become `userErrors`.
 */
export async function write<I extends WriteInput & { readonly by?: OrderIdentifier }, R, P>(
  { exchange, writes }: RequestContext,
  input: I,
  mutate: (writes: RequestWrites, account: ExchangeAccount, content: Content<I>) => Promise<WriteResult<R>>,
  reply: (reply: R | null) => P,
): Promise<WrittenPayload<P & WritePayload>> {
  const account = accountOfWrite(exchange, input.account);
  const result = await attempt(async () => {
    if (account === undefined) throw badInput([{ argument: "account", rule: accountRule(exchange) }]);
    const { account: _, ...content } = input;
    return mutate(writes, account, contentOf(content) as Content<I>);
  });
  return { ...payloadOf(result, account, input.by), ...reply(result.reply), estimate: result.estimate, account };
}

/** The fields of a batch, besides its orders. */
interface BatchInput {
  readonly account?: string | null | undefined;
  readonly dryRun?: boolean | null | undefined;
}

/**
 * Executes a mutation of several writes of one account. `reply` converts the exchange's answer about one of them. Errors that the
 * client can fix become `userErrors`, with the indexes of their orders.
 */
export async function writeTogether<
  I extends Partial<Pick<WriteInput, "idempotencyKey">> & { readonly by?: OrderIdentifier },
  R,
  P,
>(
  { exchange, writes }: RequestContext,
  { account: name, dryRun, orders }: BatchInput & { readonly orders: readonly I[] },
  mutate: (
    writes: RequestWrites,
    account: ExchangeAccount,
    inputs: readonly (Content<I> & Pick<BatchInput, "dryRun">)[],
  ) => Promise<readonly WriteResult<R>[]>,
  reply: (order: I, reply: R | null) => P,
) {
  const account = accountOfWrite(exchange, name);
  const nothing: {
    readonly account: ExchangeAccount | undefined;
    readonly orders: readonly WrittenPayload<P & WritePayload>[];
    readonly estimate: BatchEstimate | null;
  } = { account, orders: [], estimate: null };
  return settled(nothing, async () => {
    if (account === undefined) throw badInput([{ argument: "account", rule: accountRule(exchange) }]);
    if (orders.length === 0 || orders.length > MAX_BATCH)
      throw badInput([{ argument: "orders", rule: `must be a list of 1 to ${MAX_BATCH} orders` }]);
    const results = await mutate(
      writes,
      account,
      orders.map((order) => ({ ...contentOf(order), dryRun })),
    );
    const payloads = orders.flatMap((order, at) => {
      const result = results[at];
      if (result === undefined) return [];
      const { estimate } = result;
      return [{ ...payloadOf(result, account, order.by), ...reply(order, result.reply), estimate, account }];
    });
    const estimate = batchEstimate(results.map(({ estimateInBatch }) => estimateInBatch));
    return { ...wholeOf(payloads), account, orders: payloads, estimate };
  });
}

/** The payload of a batch from those of its orders: one outcome, and all errors with the indexes of their orders. */
function wholeOf(orders: readonly WritePayload[]): Partial<WritePayload> {
  const outcomes = new Set(orders.map(({ outcome }) => outcome));
  const [only = null] = outcomes;
  return {
    outcome: outcomes.size === 1 ? only : outcomes.has("UNKNOWN") ? "UNKNOWN" : "REJECTED",
    userErrors: orders.flatMap(({ userErrors }, at) =>
      userErrors.map(({ field, ...error }) => ({
        ...error,
        field: field?.[0] === "account" ? field : ["orders", `${at}`, ...(field ?? [])],
      })),
    ),
    isReplay: orders.every(({ isReplay }) => isReplay),
    isUnjournaled: orders.some((order) => order.isUnjournaled),
  };
}

/** Executes a mutation without a write; errors that the client can fix become `userErrors` too. */
export async function settled<P>(nothing: P, run: () => Promise<P>): Promise<P & WritePayload> {
  const result = await attempt(async (): Promise<WriteResult<P>> => ({ ...DONE, reply: await run() }));
  return { ...payloadOf(result), ...(result.reply ?? nothing) };
}

async function attempt<R>(mutate: () => Promise<WriteResult<R>>): Promise<WriteResult<R>> {
  try {
    return await mutate();
  } catch (error) {
    if (error instanceof Fault && isClientFault(error)) return rejected(problemsOf(error));
    throw error;
  }
}
