import { badInput, type ExchangeAccount, Fault, type RequestReads } from "../../datasources/index.js";
import { isUnjournaled } from "../../datasources/writes/unjournaled.js";
import {
  DONE,
  isClientFault,
  type OrderEstimate,
  problemsOf,
  rejected,
  type WriteResult,
} from "../../datasources/writes/write.js";
import type { WriteInput, WritePayload } from "../../schema/mutations/write.js";
import { withAccount } from "../accountScoped.js";
import { journalEntryOf } from "./journal.js";

/** The part of a payload that all mutations share. */
const payloadOf = (
  { outcome, problems, request, entry, isReplay }: WriteResult<unknown>,
  account?: ExchangeAccount | undefined,
): WritePayload => ({
  outcome,
  userErrors: problems.map(({ exchange, ...problem }) => ({ ...problem, exchange: exchange ?? null })),
  request,
  isReplay,
  sentWithoutJournal: entry !== null && isUnjournaled(entry),
  journalEntry:
    entry === null || account === undefined || isUnjournaled(entry) ? null : withAccount(account, journalEntryOf(entry)),
});

/** A payload, with the account that wrote: what its joins need. There is none when the input names one that is not here. */
export type Written<P> = P & {
  readonly account: ExchangeAccount | undefined;
  /** What a dry run of an order has found out. */
  readonly estimate: OrderEstimate | null;
};

/** What is written: the input without what says how. */
type Content<I> = Omit<I, "account">;

/**
 * Carries a mutation out for the account that its input names. `reply` makes the exchange's answer, if there is one, into
 * the mutation's fields. What is the client's to fix is a `userError`, whoever finds it.
 */
export async function write<I extends WriteInput, R, P>(
  reads: RequestReads,
  input: I,
  mutate: (reads: RequestReads, account: ExchangeAccount, content: Content<I>) => Promise<WriteResult<R>>,
  reply: (reply: R | null) => P,
): Promise<Written<P & WritePayload>> {
  const account = reads.exchange.account(input.account);
  const result = await attempt(async () => {
    if (account === undefined) throw badInput([{ argument: "account", rule: "must be the name of an account" }]);
    const { account: _, ...content } = input;
    return mutate(reads, account, content);
  });
  return { ...payloadOf(result, account), ...reply(result.reply), estimate: result.estimate, account };
}

/** Carries out a mutation that sends no write: what is the client's to fix is a `userError` there too. */
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
