import { createHash } from "node:crypto";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import { encoded } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { CLASSIC_EXIT_PLANS, FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import type { z } from "zod";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { type ArgumentViolation, FAULTS, type Fault, type FaultCode } from "../fault.js";
import type { Trace } from "../reads/trace.js";
import type { Requester } from "../scheduler/requester.js";
import type { JournalEntry, WriteProblem } from "./journal/entry.js";
import type { Exposure } from "./limits/exposure.js";
import type { Reserved } from "./limits/limitGate.js";
import type { WritePolicy } from "./policies/policy.js";

/** What a client may add to any write. */
export interface WriteOptions {
  /** Repeating a write with the same key gives the first outcome and sends nothing. */
  readonly idempotencyKey?: string | null | undefined;
  /** Check everything, send nothing. */
  readonly dryRun?: boolean | null | undefined;
}

/** A write ready to be checked and sent: which endpoint, with which values. */
export interface Plan<R> {
  readonly policy: WritePolicy<ParameterSet, unknown, R>;
  readonly values: Values<ParameterSet>;
  /** The client's names of parameters, where they are not the exchange's. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is broken of the rules that the endpoint's own do not know. They may take for granted that it keeps those. */
  rules(): readonly ArgumentViolation[];
  /** Can it only take risk away, as a cancel and a reduce-only close do? Then it waits for no other write. */
  readonly reducesRisk: boolean;
  /** What it adds to what is at risk; absent where that is nothing. */
  readonly exposure?: Exposure | undefined;
  /** What it would cost, for a dry run; absent where that is not estimated. Throws `Fault`. */
  readonly estimate?: (() => Promise<OrderEstimate | null>) | undefined;
}

/** What an order would cost, and what its account has for it: decimal text. Null is what is not known. */
export interface OrderEstimate {
  /** The price that everything is reckoned at, in quote coin. */
  readonly price: DecimalText;
  readonly cost: DecimalText;
  readonly costCoin: string;
  readonly feeRate: DecimalText | null;
  /** In `costCoin`. */
  readonly fee: DecimalText | null;
  readonly leverage: DecimalText | null;
  readonly margin: DecimalText | null;
  readonly required: DecimalText | null;
  readonly requiredCoin: string;
  readonly available: DecimalText | null;
  readonly isAffordable: boolean | null;
  readonly maxQty: DecimalText | null;
  readonly maxQuoteQty: DecimalText | null;
  /** The field that names the quantity. */
  readonly field: string;
}

/** What a plan says of risk. */
export type PlannedRisk = Partial<Pick<Plan<unknown>, "reducesRisk" | "exposure" | "estimate">>;

/** The values of a call before it is known whether all that are required are there. */
type Unchecked<P extends ParameterSet> = { readonly [K in keyof Values<P>]?: Values<P>[K] | undefined };

/** Makes a plan; here the endpoint's own types meet for the last time. */
export const plan = <P extends ParameterSet, D, R>(
  policy: WritePolicy<P, D, R>,
  values: Unchecked<P>,
  fields: Readonly<Record<string, string>> = {},
  rules: () => readonly ArgumentViolation[] = () => [],
  { reducesRisk = policy.priority === "cancel", exposure, estimate }: PlannedRisk = {},
): Plan<R> => ({ policy, values, fields, rules, reducesRisk, exposure: reducesRisk ? undefined : exposure, estimate });

/** What a write is known by, and the field that it was given in. */
export interface WriteKey {
  readonly text: string;
  readonly field: string;
}

/** Who asked for a write. */
export interface WriteAuthor {
  /** The principal; null for somebody whom nobody knows. */
  readonly who: string | null;
  /** Called with each write right before it leaves. What this throws keeps it from leaving. */
  leaving(entry: JournalEntry, reducesRisk: boolean): void;
}

/** One mutation as the writer takes it. */
export interface WriteRequest<R> extends Pick<WriteOptions, "dryRun"> {
  readonly account: ExchangeAccount;
  readonly author?: WriteAuthor | undefined;
  /** What the operation has called: the write is part of it. */
  readonly trace: Trace;
  /** For whom it is sent; what waits for its turn is not sent any more once there is a refusal. */
  readonly requester: Requester;
  readonly mutation: string;
  /** Everything the client has said, the options apart: what equal keys are compared by. */
  readonly input: object;
  /** What makes a repetition recognisable; without one the write is a write of its own. */
  readonly key: WriteKey | undefined;
  /** How the journal keeps the exchange's reply. */
  readonly reply: z.ZodType<R>;
  /** Finds out what to send. Throws `Fault`. */
  plan(): Promise<Plan<R>>;
  /** Throws `Fault` where an exposure of the account's user breaks a limit. With `reserve` it is counted from now on. */
  passLimits(user: string, exposure: Exposure, reserve?: Reserved): Promise<void>;
}

/** What stands against a write, and which part of the input it is about. */
interface Problem extends Omit<WriteProblem, "field"> {
  readonly field: string | null;
}

/** The call that a dry run would have made. */
interface RequestPreview {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** How a write has ended. A dry run that nothing stands against has no outcome. */
export interface WriteResult<R> {
  readonly outcome: "ACCEPTED" | "REJECTED" | "UNKNOWN" | null;
  /** What the exchange gave; null unless accepted. */
  readonly reply: R | null;
  readonly problems: readonly Problem[];
  /** The journal's line; null when nothing has left. */
  readonly entry: JournalEntry | null;
  readonly request: RequestPreview | null;
  /** Was it found under its key, and nothing sent for this call? */
  readonly isReplay: boolean;
  /** What a dry run of an order says that it would cost. */
  readonly estimate: OrderEstimate | null;
}

const NOTHING = { reply: null, problems: [], entry: null, request: null, isReplay: false, estimate: null };

/** What is done without a write. */
export const DONE: WriteResult<never> = { ...NOTHING, outcome: "ACCEPTED" };

/** A write of which nothing has left. */
export const rejected = (problems: readonly Problem[]): WriteResult<never> => ({ ...NOTHING, outcome: "REJECTED", problems });

/** A dry run that nothing stands against, unless the account does not hold enough. */
export const dryRunResult = (
  { policy: { endpoint }, values }: Plan<unknown>,
  estimate: OrderEstimate | null = null,
): WriteResult<never> => ({
  ...(estimate?.isAffordable === false ? rejected([shortOf(estimate)]) : { ...NOTHING, outcome: null }),
  estimate,
  request: { method: endpoint.method, path: endpoint.path, body: JSON.stringify(encoded(endpoint, values)) },
});

function shortOf({ required, requiredCoin, available, maxQty, field }: OrderEstimate): Problem {
  const most = maxQty === null ? "" : `; the most is ${maxQty} in base coin`;
  const message = `this needs ${required} ${requiredCoin}, and ${available} are available${most}`;
  return { code: "INSUFFICIENT_BALANCE", message, retryable: false, field };
}

/** The refusal of a key that was used for a write with another input. */
export const reused = (key: WriteKey | undefined): WriteResult<never> =>
  rejected([
    {
      code: "IDEMPOTENCY_KEY_REUSED",
      message: "this key was used for a write with another input; nothing was sent",
      retryable: false,
      field: key?.field ?? null,
    },
  ]);

/** What the journal says of a write, as its client gets it. Nobody should repeat what may have had its effect. */
export function resultOf<R>(entry: JournalEntry, reply: z.ZodType<R>): WriteResult<R> {
  if (entry.state === "ACCEPTED") return { ...NOTHING, outcome: "ACCEPTED", reply: reply.parse(entry.reply), entry };
  const outcome = entry.state === "REJECTED" ? "REJECTED" : "UNKNOWN";
  const { problem } = entry;
  const retryable = outcome === "REJECTED" && problem?.retryable === true;
  return {
    ...NOTHING,
    outcome,
    problems: problem === null ? [] : [{ ...problem, retryable, field: problem.field ?? null }],
    entry,
  };
}

/** A fault as it stands against a write. */
export function problemOf({ code, message, extensions: { exchange, retryable, violations } }: Fault): WriteProblem {
  const field = violations?.[0]?.argument;
  return {
    code,
    message,
    retryable,
    ...(exchange === undefined ? {} : { exchange: { code: exchange.code, msg: exchange.msg } }),
    ...(field === undefined ? {} : { field }),
  };
}

/** A refusal before anything was sent: one problem for each broken rule. */
export function problemsOf(fault: Fault, fields: Readonly<Record<string, string>> = {}): readonly Problem[] {
  const { violations, exchange, retryable } = fault.extensions;
  const common = { code: fault.code, retryable, ...(exchange === undefined ? {} : { exchange }) };
  if (violations === undefined) return [{ ...common, message: fault.message, field: null }];
  return violations.map(({ argument, rule }) => {
    const field = fields[argument] ?? argument;
    return { ...common, message: `${field} ${spoken(rule, fields)}`, field };
  });
}

/** Words of the exchange's that stand in rules, as clients know them: by the names of their enum values. */
const ENUM_VALUES: ReadonlyMap<string, string> = new Map(
  [...FUTURES_CATEGORIES, ...CLASSIC_EXIT_PLANS, ...WITHDRAWAL_DESTINATIONS].map((word) => [
    word,
    word.replace("-", "_").toUpperCase(),
  ]),
);

/** A rule in the client's words. */
const spoken = (rule: string, fields: Readonly<Record<string, string>>): string =>
  rule.replace(/[\w-]+/g, (word) => (Object.hasOwn(fields, word) ? fields[word] : ENUM_VALUES.get(word)) ?? word);

/**
 * Is this fault the client's to fix? Then it is an outcome, and otherwise an error: what may pass by itself, and what is
 * our own mistake, says nothing about the write.
 */
export const isClientFault = ({ code }: { readonly code: FaultCode }): boolean =>
  !FAULTS[code].retryable && code !== "INTERNAL_SERVER_ERROR";

/** A digest of what was asked for, whatever the order in which it was said. */
export const digestOf = (mutation: string, input: object): string =>
  createHash("sha256")
    .update(`${mutation} ${canonical(input)}`)
    .digest("base64url");

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const given = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  const parts = given
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`);
  return `{${parts.join()}}`;
}
