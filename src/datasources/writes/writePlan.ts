import { createHash } from "node:crypto";
import type { DecimalText, Exact } from "@exchange-graph/contract/decimal";
import { bodyOf, type Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { CLASSIC_TPSL_PLANS, FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import type { z } from "zod";
import type { ExchangeAccount, Requester } from "../calls/index.js";
import { type ArgumentViolation, FAULTS, type Fault, type FaultCode } from "../errors/index.js";
import type { Trace } from "../reads/index.js";
import type { JournalEntry, WriteProblem } from "./journal/journalEntry.js";
import type { Exposure } from "./limits/exposure.js";
import type { Charged, LimitTerms } from "./limits/limitGate.js";
import type { WritePolicy } from "./policies/policy.js";

export interface WriteOptions {
  /** Repeating a write with the same key returns the first outcome and sends nothing. */
  readonly idempotencyKey?: string | null | undefined;
  /** Check everything, send nothing. */
  readonly dryRun?: boolean | null | undefined;
}

/** A write ready to be checked and sent: its endpoint and values. */
export interface WritePlan<R> {
  readonly policy: WritePolicy<ParameterSet, unknown, R>;
  readonly values: Values<ParameterSet>;
  /** Input fields of parameters with other names. */
  readonly fields: Readonly<Record<string, string>>;
  /** Violations that the endpoint's own rules do not cover. Called after those were checked. */
  rules(): readonly ArgumentViolation[];
  /** Whether it can only reduce risk, like a cancel or a reduce-only close; then it waits for no other write. */
  readonly reducesRisk: boolean;
  /**
   * Asks the exchange whether that still holds. Undefined if the request itself ensures it. Halts and limits exempt a write only
   * directly after this check. Throws `Fault`.
   */
  readonly stillReducesRisk?: (() => Promise<boolean>) | undefined;
  /** Its addition to the risk; undefined if there is none. */
  readonly exposure?: Exposure | undefined;
  /**
   * Violations as the market and the positions are now, for a dry run: they may have changed when the write arrives. `isAlone`: no
   * other write goes before it. Throws `Fault`.
   */
  readonly presentRules?: ((isAlone: boolean) => Promise<readonly ArgumentViolation[]>) | undefined;
  /** Estimated cost, for a dry run; undefined if it is not estimated. Throws `Fault`. */
  readonly estimate?: ((ahead?: OrdersAhead) => Promise<OrderEstimate | null>) | undefined;
}

/** The quantities of positions that earlier orders of the batch close, by a name of each position. */
export type OrdersAhead = Map<string, Exact>;

/** Estimated cost of an order, and the account's funds for it: decimal text, null if not known. */
export interface OrderEstimate {
  /** The price of all estimates, in quote coin. */
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
  readonly field: string;
  /** Name of the funds that the order draws on: orders with equal names share them. */
  readonly funds: string;
  /** Whether `required` grows in proportion to the quantity. It does not while a part of the order closes a position. */
  readonly isProportional: boolean;
}

/** The part of a plan that concerns risk. */
export type PlannedRisk = Partial<
  Pick<WritePlan<unknown>, "reducesRisk" | "stillReducesRisk" | "exposure" | "estimate" | "presentRules">
>;

/** The values of a call before required ones were checked. */
type Unchecked<P extends ParameterSet> = { readonly [K in keyof Values<P>]?: Values<P>[K] | undefined };

/** Makes a plan, and erases the endpoint's types. */
export const plan = <P extends ParameterSet, D, R>(
  policy: WritePolicy<P, D, R>,
  values: Unchecked<P>,
  fields: Readonly<Record<string, string>> = {},
  rules: () => readonly ArgumentViolation[] = () => [],
  { reducesRisk = policy.priority === "cancel", stillReducesRisk, exposure, estimate, presentRules }: PlannedRisk = {},
): WritePlan<R> => ({
  ...{ policy, values, fields, rules, reducesRisk, estimate, presentRules },
  stillReducesRisk: reducesRisk ? stillReducesRisk : undefined,
  exposure: reducesRisk ? undefined : exposure,
});

/** The key of a write, and the field that it was given in. */
export interface WriteKey {
  readonly text: string;
  readonly field: string;
}

/** The client of a write. */
export interface WriteAuthor {
  /** The principal; null for an unknown client. */
  readonly who: string | null;
  /** Called directly before each write is sent. An error that it throws keeps the write from being sent. */
  leaving(entry: JournalEntry, reducesRisk: boolean): void;
}

/** One mutation, as the writer takes it. */
export interface WriteRequest<R> extends Pick<WriteOptions, "dryRun"> {
  readonly account: ExchangeAccount;
  readonly author?: WriteAuthor | undefined;
  readonly trace: Trace;
  /** The requester; a waiting write is not sent once it is refused. */
  readonly requester: Requester;
  readonly mutation: string;
  /** The input without the options: by its digest equal keys are compared. */
  readonly input: object;
  /** The idempotency key; without one every call is a new write. */
  readonly key: WriteKey | undefined;
  readonly reply: z.ZodType<R>;
  /** Makes the plan. Throws `Fault`. */
  plan(): Promise<WritePlan<R>>;
  /** Checks these writes of the account's user against the limits, together. Throws `BatchRefused`. */
  passLimits(user: string, charged: readonly (Charged | undefined)[], terms: LimitTerms): Promise<void>;
}

/** An error of a write, with its input field. */
interface Problem extends Omit<WriteProblem, "field"> {
  readonly field: string | null;
}

/** The request that a dry run would have sent. */
interface RequestPreview {
  readonly method: string;
  readonly path: string;
  /** Its JSON, parsed. */
  readonly body: unknown;
}

/** Result of a write. A dry run without errors has no outcome. */
export interface WriteResult<R> {
  readonly outcome: "ACCEPTED" | "REJECTED" | "UNKNOWN" | null;
  /** The exchange's reply; null unless accepted. */
  readonly reply: R | null;
  readonly problems: readonly Problem[];
  /** The journal's entry; null if nothing was sent. */
  readonly entry: JournalEntry | null;
  readonly request: RequestPreview | null;
  /** Whether it is the outcome of an earlier write with the same key, so that this call sent nothing. */
  readonly isReplay: boolean;
  /** Estimated cost, for a dry run of an order. */
  readonly estimate: OrderEstimate | null;
  /** The same after the orders of its batch that come before it. */
  readonly estimateInBatch: OrderEstimate | null;
}

const NOTHING = { reply: null, problems: [], entry: null, request: null, isReplay: false, estimate: null, estimateInBatch: null };

/** The result if nothing had to be written. */
export const DONE: WriteResult<never> = { ...NOTHING, outcome: "ACCEPTED" };

/** The result of a write that was not sent. */
export const rejected = (problems: readonly Problem[]): WriteResult<never> => ({ ...NOTHING, outcome: "REJECTED", problems });

/** An endpoint with the values of a call. */
export interface UpstreamRequest {
  readonly endpoint: Endpoint;
  readonly values: Values<ParameterSet>;
}

/**
 * The result of a dry run without other errors, which fails if the account's balance is too low, or if a rule is broken as the
 * market and the positions are now. `left`: what the orders before it leave of the funds, if that is too little.
 */
export const dryRunResult = (
  { endpoint, values }: UpstreamRequest,
  broken: readonly Problem[],
  estimate: OrderEstimate | null,
  estimateInBatch: OrderEstimate | null,
  left: DecimalText | undefined,
): WriteResult<never> => {
  const problems = [...broken];
  if (estimate?.isAffordable === false) {
    const { available, maxQty } = estimate;
    const most = maxQty === null ? "" : `; the most is ${maxQty} in base coin`;
    problems.push(short(estimate, `${available} are available${most}`));
  }
  if (problems.length === 0 && estimateInBatch !== null && left !== undefined)
    problems.push(short(estimateInBatch, `the orders before it leave ${left}`));
  return {
    ...(problems.length > 0 ? rejected(problems) : { ...NOTHING, outcome: null }),
    estimate,
    estimateInBatch,
    request: { method: endpoint.method, path: endpoint.path, body: JSON.parse(bodyOf(endpoint, values)) },
  };
};

const short = ({ required, requiredCoin, field }: OrderEstimate, but: string): Problem => ({
  ...{ code: "INSUFFICIENT_BALANCE", retryable: false, field },
  message: `this needs ${required} ${requiredCoin}, and ${but}`,
});

/** The refusal of a key that was used with another input. */
export const reused = (key: WriteKey | undefined): WriteResult<never> =>
  rejected([
    {
      code: "IDEMPOTENCY_KEY_REUSED",
      message: "this key was used for a write with another input; nothing was sent",
      retryable: false,
      field: key?.field ?? null,
    },
  ]);

/** The result of a journal entry, for its client. A write that may have had an effect is not retryable. */
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

/** The errors of a refusal before anything was sent: one per violated rule. */
export function problemsOf(fault: Fault, fields: Readonly<Record<string, string>> = {}): readonly Problem[] {
  const { violations, exchange, retryable } = fault.extensions;
  const common = { code: fault.code, retryable, ...(exchange === undefined ? {} : { exchange }) };
  if (violations === undefined) return [{ ...common, message: fault.message, field: null }];
  return violations.map(({ argument, rule }) => {
    const field = fields[argument] ?? argument;
    return { ...common, message: `${field} ${withClientNames(rule, fields)}`, field };
  });
}

/** Values of the exchange in the texts of rules, with the enum values that clients use. */
const ENUM_VALUES: ReadonlyMap<string, string> = new Map(
  [...FUTURES_CATEGORIES, ...CLASSIC_TPSL_PLANS, ...WITHDRAWAL_DESTINATIONS].map((word) => [
    word,
    word.replace("-", "_").toUpperCase(),
  ]),
);

/** A rule with the client's names of fields and values. */
const withClientNames = (rule: string, fields: Readonly<Record<string, string>>): string =>
  rule.replace(/[\w-]+/g, (word) => (Object.hasOwn(fields, word) ? fields[word] : ENUM_VALUES.get(word)) ?? word);

/**
 * Whether the client can fix this fault: then it is an outcome. Temporary and internal faults are errors, which say nothing about
 * the write.
 */
export const isClientFault = ({ code }: { readonly code: FaultCode }): boolean =>
  !FAULTS[code].retryable && code !== "INTERNAL_SERVER_ERROR";

/** A digest of the input, independent of the order of its fields. */
export const digestOf = (mutation: string, input: object): string =>
  createHash("sha256")
    .update(`${mutation} ${canonical(input)}`)
    .digest("base64url");

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const present = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  const parts = present
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`);
  return `{${parts.join()}}`;
}
