import { badInput, type ExchangeAccount, Fault, type RequestWrites } from "../../datasources/index.js";
import {
  DONE,
  isClientFault,
  isUnjournaled,
  type OrderEstimate,
  problemsOf,
  rejected,
  type WriteResult,
} from "../../datasources/writes/index.js";
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
  userErrors: problems.map(({ exchange, field, ...problem }) => ({
    ...problem,
    field: pathOf(field, by),
    exchange: exchange ?? null,
  })),
  request,
  isReplay,
  sentWithoutJournal: entry !== null && isUnjournaled(entry),
  journalEntry:
    entry === null || account === undefined || isUnjournaled(entry) ? null : withAccount(account, journalEntryOf(entry)),
});

/** A payload with its account, which its joins need. It is undefined if the input names an unknown account. */
export type Written<P> = P & {
  readonly account: ExchangeAccount | undefined;
  /** Result of a dry run of an order. */
  readonly estimate: OrderEstimate | null;
};

/** The input without the account, and with the identifier of the order it names, if any, among its fields. */
type Content<I> = Omit<I, "account" | "by"> & (I extends { readonly by: infer Identifier } ? Identifier : unknown);

/** The account of a write: without a name the client's only one. Undefined if there is none, or without a name several. */
const accountOfWrite = (exchange: RequestContext["exchange"], name: string | null | undefined): ExchangeAccount | undefined =>
  name === null || name === undefined ? onlyAccount(exchange) : exchange.account(name);

/** What `account` may be, in the names that the client sees. */
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
): Promise<Written<P & WritePayload>> {
  const account = accountOfWrite(exchange, input.account);
  const result = await attempt(async () => {
    if (account === undefined) throw badInput([{ argument: "account", rule: accountRule(exchange) }]);
    const { account: _, by, ...content } = input;
    return mutate(writes, account, { ...content, ...by } as Content<I>);
  });
  return { ...payloadOf(result, account, input.by), ...reply(result.reply), estimate: result.estimate, account };
}

/** Executes a mutation without a write; errors that the client can fix become `userErrors` too. */
export async function settled<P>(nothing: P, run: () => Promise<P>): Promise<P & WritePayload> {
  try {
    const given = await run();
    return { ...payloadOf(DONE), ...given };
  } catch (error) {
    if (error instanceof Fault && isClientFault(error)) return { ...payloadOf(rejected(problemsOf(error))), ...nothing };
    throw error;
  }
}

async function attempt<R>(mutate: () => Promise<WriteResult<R>>): Promise<WriteResult<R>> {
  try {
    return await mutate();
  } catch (error) {
    if (error instanceof Fault && isClientFault(error)) return rejected(problemsOf(error));
    throw error;
  }
}
