import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { z } from "zod";
import { type Random, randomOf } from "../world/random.js";

/**
 * Faults on demand. A rule names what it strikes (an endpoint, a channel, a socket), how it strikes and how often: a
 * number of times, a share of the calls or pushes (drawn from the seed, so a run can be replayed), or both. Without
 * either it strikes every one.
 */

const status = z.number().int().min(200).max(599);
const delayMs = z.number().int().min(0).max(600_000);

const callFaults = [
  /** The answer comes late: the call waits this long before it is looked at. */
  z.strictObject({ kind: z.literal("latency"), delayMs }),
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
] as const;
const callFaultSchema = z.discriminatedUnion("kind", callFaults);
/** What goes wrong with a call. */
export type Fault = z.output<typeof callFaultSchema>;

/** These strike a socket as it is opened; where the rule names a channel, with that channel's next push. */
const connectionFaults = [
  /** The connection stays open, and nothing is ever sent on it again. */
  z.strictObject({ kind: z.literal("silent") }),
  /** The connection breaks without a word. */
  z.strictObject({ kind: z.literal("drop") }),
] as const;
const pushFaults = [
  /** The push is left out. */
  z.strictObject({ kind: z.literal("skip") }),
  /** It is sent twice. */
  z.strictObject({ kind: z.literal("repeat") }),
  /** It comes after the one that should have come after it. */
  z.strictObject({ kind: z.literal("reorder") }),
  /** It comes late, and others may overtake it. */
  z.strictObject({ kind: z.literal("delay"), delayMs }),
  /** An order book's checksum is not that of the book. */
  z.strictObject({ kind: z.literal("wrong-checksum") }),
] as const;
const connectionFaultSchema = z.discriminatedUnion("kind", connectionFaults);
const pushFaultSchema = z.discriminatedUnion("kind", [...connectionFaults, ...pushFaults]);
/** What goes wrong with a socket. */
type ConnectionFault = z.output<typeof connectionFaultSchema>;
/** What goes wrong with a push. */
export type PushFault = z.output<typeof pushFaultSchema>;

/** What a rule may name. */
export const FAULT_TARGETS = ["endpoint", "channel", "socket"] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

/** A rule as it is ordered over `/sandbox/faults`. */
export const faultRuleSchema = z
  .strictObject({
    /** An endpoint's contract name; absent: every endpoint. */
    endpoint: z.string().optional(),
    /** A channel's contract name; absent: every channel. */
    channel: z.string().optional(),
    /** The path of a socket; absent: every socket. */
    socket: z.string().optional(),
    fault: z.discriminatedUnion("kind", [...callFaults, ...connectionFaults, ...pushFaults]),
    /** Ends after striking so often. */
    times: z.number().int().min(1).optional(),
    /** The share of calls that are struck, from 0 to 1. */
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

/** What is struck decides what can be named: a call, a push, or a socket, which may be that of a channel's next push. */
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

/** The rules in force, and the chance by which some of them strike. */
export class Faults {
  readonly #rules = new Map<number, ActiveRule>();
  readonly #random: Random;
  #ids = 0;

  constructor(seed: string) {
    this.#random = randomOf(`${seed} faults`);
  }

  /** Are there as many rules as there may be? */
  get isFull(): boolean {
    return this.#rules.size >= RULES;
  }

  /** Adds a rule and gives its number. */
  add(rule: FaultRule): number {
    if (this.isFull) throw new RangeError(`more than ${RULES} fault rules`);
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
    return this.#strike(callFaultKind, (rule) => (rule.endpoint ?? endpoint) === endpoint);
  }

  /** What strikes a socket that is opened on `path`. */
  drawOpening(path: string): readonly ConnectionFault[] {
    return this.#strike(connectionFaultKind, (rule) => rule.channel === undefined && (rule.socket ?? path) === path);
  }

  /** What strikes a push on `channel`. */
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
