import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { z } from "zod";
import { type Random, randomOf } from "../world/random.js";

/**
 * Injected faults. A rule names its target (an endpoint, a channel, a socket), the fault and its frequency: a number of times, a
 * share of the calls or pushes (drawn from the seed, so that a run can be replayed), or both. Without either it applies to every
 * call or push.
 */

const status = z.number().int().min(200).max(599);
const delayMs = z.number().int().min(0).max(600_000);

const callFaults = [
  /** A delayed answer: the call waits this long before it is read. */
  z.strictObject({ kind: z.literal("latency"), delayMs }),
  /** The connection is reset before the call has had any effect. */
  z.strictObject({ kind: z.literal("reset") }),
  /** The call takes effect, then the connection is reset without an answer. */
  z.strictObject({ kind: z.literal("lost-reply") }),
  /** Another answer: an envelope of `code` and `msg`, or `body` unchanged. Sent before the call takes effect, or after it. */
  z.strictObject({
    kind: z.literal("answer"),
    status,
    code: z.string().default(REFUSAL.serviceFault.code),
    msg: z.string().default(REFUSAL.serviceFault.msg),
    body: z.string().optional(),
    when: z.enum(["before", "after"]).default("before"),
  }),
  /** The real answer, truncated in the middle of its JSON. */
  z.strictObject({ kind: z.literal("truncated-body") }),
  /** HTTP 200 with an empty body. */
  z.strictObject({ kind: z.literal("empty-body") }),
] as const;
const callFaultSchema = z.discriminatedUnion("kind", callFaults);
export type Fault = z.output<typeof callFaultSchema>;

/** Faults of a socket, applied when it is opened, or, if the rule names a channel, with that channel's next push. */
const connectionFaults = [
  /** The connection stays open, and nothing is sent on it any more. */
  z.strictObject({ kind: z.literal("silent") }),
  /** The connection is reset without a close frame. */
  z.strictObject({ kind: z.literal("drop") }),
] as const;
const pushFaults = [
  /** The push is omitted. */
  z.strictObject({ kind: z.literal("skip") }),
  /** The push is sent twice. */
  z.strictObject({ kind: z.literal("repeat") }),
  /** The push is sent after the one that follows it. */
  z.strictObject({ kind: z.literal("reorder") }),
  /** The push is delayed, and later ones may be sent before it. */
  z.strictObject({ kind: z.literal("delay"), delayMs }),
  /** The checksum of an order book is wrong. */
  z.strictObject({ kind: z.literal("wrong-checksum") }),
] as const;
const connectionFaultSchema = z.discriminatedUnion("kind", connectionFaults);
const pushFaultSchema = z.discriminatedUnion("kind", [...connectionFaults, ...pushFaults]);
type ConnectionFault = z.output<typeof connectionFaultSchema>;
export type PushFault = z.output<typeof pushFaultSchema>;

/** Kinds of targets that a rule may name. */
export const FAULT_TARGETS = ["endpoint", "channel", "socket"] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

/** A rule as sent to `/sandbox/faults`. */
export const faultRuleSchema = z
  .strictObject({
    /** An endpoint's contract name; absent: every endpoint. */
    endpoint: z.string().optional(),
    /** A channel's contract name; absent: every channel. */
    channel: z.string().optional(),
    /** The path of a socket; absent: every socket. */
    socket: z.string().optional(),
    fault: z.discriminatedUnion("kind", [...callFaults, ...connectionFaults, ...pushFaults]),
    /** Number of times after which the rule ends. */
    times: z.number().int().min(1).optional(),
    /** Share of the calls that it applies to, from 0 to 1. */
    probability: z.number().min(0).max(1).optional(),
  })
  .check(({ value, issues }) => {
    for (const target of FAULT_TARGETS) {
      if (value[target] === undefined || mayName(value).includes(target)) continue;
      const message = `"${value.fault.kind}" strikes no ${target} that a rule names`;
      issues.push({ code: "custom", path: [target], message, input: value[target] });
    }
  });
export type FaultRule = z.input<typeof faultRuleSchema>;

/** The kind of fault decides what a rule can name: a call, a push, or a socket, also that of a channel's next push. */
function mayName({
  fault,
  channel,
}: {
  readonly fault: AnyFault;
  readonly channel?: string | undefined;
}): readonly FaultTarget[] {
  if (callFaultKind(fault)) return ["endpoint"];
  return connectionFaultKind(fault) && channel === undefined ? ["socket"] : ["channel"];
}

type ActiveRule = z.output<typeof faultRuleSchema> & { readonly id: number; left: number };

type AnyFault = Fault | PushFault;

const among =
  <F extends AnyFault>(schemas: readonly { readonly shape: { readonly kind: { readonly value: F["kind"] } } }[]) =>
  (fault: AnyFault): fault is F =>
    schemas.some(({ shape }) => shape.kind.value === fault.kind);
const callFaultKind = among<Fault>(callFaults);
const connectionFaultKind = among<ConnectionFault>(connectionFaults);
const pushFaultKind = among<PushFault>([...connectionFaults, ...pushFaults]);

const NONE: readonly never[] = [];
const RULES = 1_000;

/** The active rules, and the random numbers for those with a probability. */
export class Faults {
  readonly #rules = new Map<number, ActiveRule>();
  readonly #random: Random;
  #ids = 0;

  constructor(seed: string) {
    this.#random = randomOf(`${seed} faults`);
  }

  get isFull(): boolean {
    return this.#rules.size >= RULES;
  }

  add(rule: FaultRule): number {
    if (this.isFull) throw new RangeError(`more than ${RULES} fault rules`);
    const parsed = faultRuleSchema.parse(rule);
    const id = ++this.#ids;
    this.#rules.set(id, { ...parsed, id, left: parsed.times ?? Number.POSITIVE_INFINITY });
    return id;
  }

  remove(id: number): boolean {
    return this.#rules.delete(id);
  }

  clear(): void {
    this.#rules.clear();
  }

  get rules(): readonly Readonly<ActiveRule>[] {
    return [...this.#rules.values()];
  }

  /** The faults of a call of `endpoint`, in the order of the rules. They count as applied. */
  draw(endpoint: string): readonly Fault[] {
    return this.#strike(callFaultKind, (rule) => (rule.endpoint ?? endpoint) === endpoint);
  }

  drawOpening(path: string): readonly ConnectionFault[] {
    return this.#strike(connectionFaultKind, (rule) => rule.channel === undefined && (rule.socket ?? path) === path);
  }

  drawPush(channel: string): readonly PushFault[] {
    return this.#strike(pushFaultKind, (rule) =>
      connectionFaultKind(rule.fault) ? rule.channel === channel : (rule.channel ?? channel) === channel,
    );
  }

  #strike<F extends AnyFault>(isKind: (fault: AnyFault) => fault is F, concerns: (rule: ActiveRule) => boolean): readonly F[] {
    if (this.#rules.size === 0) return NONE;
    const struck: F[] = [];
    for (const rule of this.#rules.values()) {
      const { fault, probability } = rule;
      if (!isKind(fault) || !concerns(rule)) continue;
      if (probability !== undefined && this.#random.next() >= probability * 0x1_0000_0000) continue;
      struck.push(fault);
      if (--rule.left <= 0) this.#rules.delete(rule.id);
    }
    return struck;
  }
}
