import { violations } from "@exchange-graph/contract/endpoint";
import type { ExchangeAccount } from "../calls/index.js";
import { badInput, Fault, ifFault, inTime } from "../errors/index.js";
import type { Users } from "../reads/index.js";
import { BatchRefused, refusedFor } from "./batchAssembly.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import type { Unjournaled } from "./journaling.js";
import type { Charged, LimitTerms } from "./limits/limitGate.js";
import type { LostAnswer } from "./outcomeReconciler.js";
import { policyOf } from "./policies/index.js";
import type { Recovery } from "./recovery.js";
import { type Identified, Unreadable, type WriteOwner } from "./writeBatch.js";
import type { WriteParts } from "./writeParts.js";
import { isClientFault, problemsOf, rejected, type WritePlan, type WriteRequest, type WriteResult } from "./writePlan.js";

/** Maximum wait for another process that has sent the write and will know its outcome first. */
const OTHERS_MS = 2_000;

export class EarlierWrites {
  constructor(
    private readonly parts: Pick<WriteParts, "journal" | "cancelWithoutJournal" | "deadlineMs"> & {
      readonly unjournaled: Unjournaled;
    },
  ) {}

  /** The earlier write with this key. A generated key has none. */
  async find(key: WriteRequest<unknown>["key"], { user }: WriteOwner): Promise<JournalEntry | Unreadable | undefined> {
    if (key === undefined) return undefined;
    const { journal, unjournaled, cancelWithoutJournal } = this.parts;
    try {
      return unjournaled.find(user, key.text) ?? (await journal.find(user, key.text));
    } catch (error) {
      if (!cancelWithoutJournal) throw error;
      return new Unreadable(error);
    }
  }

  /** The outcome of a write of another process, if it is known soon. */
  endedElsewhere(entry: JournalEntry): Promise<JournalEntry | undefined> {
    const { journal, deadlineMs } = this.parts;
    // The outcome can be looked up at the exchange without the journal.
    return journal.ended(entry, Math.min(OTHERS_MS, deadlineMs / 4)).catch(ifFault);
  }
}

/** The user of the account. If the exchange cannot be reached, only writes that may safely be sent twice are allowed. */
export async function ownerOf(users: Users, account: ExchangeAccount): Promise<WriteOwner> {
  try {
    return { user: await users.of(account, "write"), unknown: undefined };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { user: users.known.standInOf(account), unknown: new Unreadable(error) };
  }
}

/** The user of an account if it was read or stored since its writes were identified. No upstream call. */
export async function ownerNow(
  users: Pick<Users, "recall" | "cachedUser">,
  account: ExchangeAccount,
  owner: WriteOwner,
): Promise<WriteOwner> {
  if (owner.unknown === undefined) return owner;
  await users.recall(account);
  const user = users.cachedUser(account);
  return user === undefined ? owner : { user, unknown: undefined };
}

/** Whether the outcome can still be determined. */
export const isOpen = ({ state, endpoint }: JournalEntry): boolean =>
  state === "SENT" || (state === "UNKNOWN" && policyOf(endpoint)?.proof !== undefined);

/** A write that an earlier process, or an earlier request, has left open. */
export const lostAnswerOf = (entry: JournalEntry): LostAnswer => ({
  entry,
  problem: entry.problem ?? CUT_OFF,
  refusedAt: undefined,
});

const CUT_OFF = {
  code: "EXCHANGE_TIMEOUT",
  message: "the gateway was stopped before the exchange's answer arrived",
  retryable: false,
};

/** Maximum number of open writes; beyond it nothing new is sent. */
const MAX_OPEN = 10_000;

/** The steps before a write is sent: its plan, rules, halts and limits, and open earlier writes. */
export class Preparation {
  constructor(
    private readonly parts: Pick<WriteParts, "exchangeClock" | "clock" | "halts" | "deadlineMs"> & {
      readonly recovery: Pick<Recovery, "before">;
      /** Number of writes being looked up. */
      readonly open: () => number;
    },
  ) {}

  /** A plan that satisfies all rules, or the refusal. */
  async plan<R>(request: WriteRequest<R>): Promise<WritePlan<R> | WriteResult<never>> {
    let fields: Readonly<Record<string, string>> = {};
    try {
      const planned = await request.plan();
      fields = planned.fields;
      const { endpoint } = planned.policy;
      const broken = violations(endpoint, planned.values, this.parts.exchangeClock.now());
      if (broken.length > 0) throw badInput(broken.map(({ parameter, rule }) => ({ argument: parameter, rule })));
      const alsoBroken = planned.rules();
      if (alsoBroken.length > 0) throw badInput(alsoBroken);
      if (!planned.reducesRisk) await this.#refuseHalted(request.account);
      return planned;
    } catch (error) {
      if (error instanceof Fault && isClientFault(error)) return rejected(problemsOf(error, fields));
      throw error;
    }
  }

  async #refuseHalted(account: ExchangeAccount): Promise<void> {
    const { clock, halts, deadlineMs } = this.parts;
    if (halts.mayApplyTo(account)) await inTime(clock, halts.learnUsers(account), deadlineMs);
    halts.refuseHalted(account);
  }

  /**
   * A plan that may be sent now. Writes that were open at the start are settled first, so that a new write does not overlap with
   * an old one; writes that only reduce risk do not wait. `unreadable`: why it is not known whether the key was used before.
   */
  async ready<R>(
    request: WriteRequest<R>,
    user: string,
    deadlineAt: number,
    unreadable: { readonly why: unknown } | undefined,
  ): Promise<WritePlan<R> | WriteResult<never>> {
    const { clock, recovery, open } = this.parts;
    const plan = await this.plan(request);
    if ("outcome" in plan || plan.reducesRisk) return plan;
    // Whether it was sent before is not known, so only writes that may safely be sent twice continue.
    if (unreadable !== undefined) throw unreadable.why;
    if (open() >= MAX_OPEN) throw busy("too many writes are waiting to be settled");
    const before = await recovery.before(user);
    if (before === undefined) return plan;
    if ((await inTime(clock, before.settled, deadlineAt - clock.now())) === undefined)
      throw busy(`earlier writes of ${request.account.name} are still being settled`);
    // Writes that were settled meanwhile may have changed the state that the plan was made for.
    return this.plan(request);
  }
}

const busy = (why: string): Fault => new Fault("EXCHANGE_UNAVAILABLE", `${why}; nothing was sent`, { retryAfterMs: 1_000 });

/** The plans of a batch of writes; or, if one is refused, the results of all. */
export function allPlanned(
  plans: readonly (WritePlan<unknown> | WriteResult<never>)[],
): { readonly plans: readonly WritePlan<unknown>[] } | { readonly refused: readonly WriteResult<never>[] } {
  const ready = plans.filter((plan): plan is WritePlan<unknown> => !("outcome" in plan));
  if (ready.length === plans.length) return { plans: ready };
  const others = rejected(problemsOf(refusedFor(plans.flatMap((plan, at) => ("outcome" in plan ? [at] : [])))));
  return { refused: plans.map((plan) => ("outcome" in plan ? plan : others)) };
}

/** The results of writes that were refused before any of them was sent. Throws what a client cannot fix. */
export function refusalsIn(error: unknown, count: number): readonly WriteResult<never>[] {
  const faults = error instanceof BatchRefused ? error.each() : Array.from({ length: count }, () => error);
  const other = faults.find((fault) => !(fault instanceof Fault && isClientFault(fault)));
  if (other !== undefined) throw other;
  return faults.map((fault) => rejected(fault instanceof Fault ? problemsOf(fault) : []));
}

/** Checks writes against the limits together. Throws `BatchRefused`. */
export async function passLimits(
  writes: readonly Identified[],
  plans: readonly WritePlan<unknown>[],
  terms: LimitTerms,
): Promise<void> {
  const [first] = writes;
  if (first === undefined || plans.every(({ exposure }) => exposure === undefined)) return;
  const charged = plans.map(({ policy, values, exposure }, at): Charged | undefined => {
    const key = writes[at]?.key;
    const named: unknown = policy.clientOid === undefined ? undefined : values[policy.clientOid];
    return exposure === undefined || key === undefined
      ? undefined
      : { exposure, key, clientOid: typeof named === "string" ? named : undefined };
  });
  await first.request.passLimits(first.owner.user, charged, terms);
}
