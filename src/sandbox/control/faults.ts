import { z } from "zod";
import { REFUSAL } from "../../contract/errors/refusal.js";
import { type Random, randomOf } from "../world/random.js";

/**
 * Faults on demand. A rule names the endpoint it strikes, how it strikes and how often: a number of times, a share of
 * the calls (drawn from the seed, so a run can be replayed), or both. Without either it strikes every call.
 */

const status = z.number().int().min(200).max(599);

export const faultSchema = z.discriminatedUnion("kind", [
  /** The answer comes late: the call waits this long before it is looked at. */
  z.strictObject({ kind: z.literal("latency"), delayMs: z.number().int().min(0).max(600_000) }),
  /** The connection breaks before the call has had any effect. */
  z.strictObject({ kind: z.literal("reset") }),
  /** The call takes effect, then the connection breaks without an answer. */
  z.strictObject({ kind: z.literal("lost-reply") }),
  /** Another answer: an envelope of `code` and `msg`, or `body` as it stands. Before the effect, or after it. */
  z.strictObject({
    kind: z.literal("answer"),
    status,
    code: z.string().default(REFUSAL.serviceFault.code),
    msg: z.string().default(REFUSAL.serviceFault.msg),
    body: z.string().optional(),
    when: z.enum(["before", "after"]).default("before"),
  }),
  /** The true answer, cut in the middle of its JSON. */
  z.strictObject({ kind: z.literal("truncated-body") }),
  /** HTTP 200 and not one byte. */
  z.strictObject({ kind: z.literal("empty-body") }),
]);
export type Fault = z.output<typeof faultSchema>;

export const faultRuleSchema = z.strictObject({
  /** An endpoint's contract name; absent: every endpoint. */
  endpoint: z.string().optional(),
  fault: faultSchema,
  /** Ends after striking so often. */
  times: z.number().int().min(1).optional(),
  /** The share of calls that are struck, from 0 to 1. */
  probability: z.number().min(0).max(1).optional(),
});
export type FaultRule = z.input<typeof faultRuleSchema>;

type ActiveRule = z.output<typeof faultRuleSchema> & { readonly id: number; left: number };

const RULES = 1_000;

export class Faults {
  readonly #rules = new Map<number, ActiveRule>();
  readonly #random: Random;
  #ids = 0;

  constructor(seed: string) {
    this.#random = randomOf(`${seed} faults`);
  }

  /** Adds a rule and gives its number. */
  add(rule: FaultRule): number {
    if (this.#rules.size >= RULES) throw new RangeError(`more than ${RULES} fault rules`);
    const parsed = faultRuleSchema.parse(rule);
    const id = ++this.#ids;
    this.#rules.set(id, { ...parsed, id, left: parsed.times ?? Number.POSITIVE_INFINITY });
    return id;
  }

  /** Removes one rule; says whether it was there. */
  remove(id: number): boolean {
    return this.#rules.delete(id);
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules.clear();
  }

  /** The rules that still strike. */
  get rules(): readonly Readonly<ActiveRule>[] {
    return [...this.#rules.values()];
  }

  /** What strikes a call of `endpoint`, in the order of the rules. Counts as struck. */
  draw(endpoint: string): readonly Fault[] {
    if (this.#rules.size === 0) return [];
    const struck: Fault[] = [];
    for (const rule of this.#rules.values()) {
      if (rule.endpoint !== undefined && rule.endpoint !== endpoint) continue;
      if (rule.probability !== undefined && this.#random.next() >= rule.probability * 0x1_0000_0000) continue;
      struck.push(rule.fault);
      if (--rule.left <= 0) this.#rules.delete(rule.id);
    }
    return struck;
  }
}
