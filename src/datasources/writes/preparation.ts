import type { Clock } from "@exchange-graph/contract/clock";
import { violations } from "@exchange-graph/contract/endpoint";
import type { ExchangeClient } from "../exchange/client.js";
import { badInput, Fault } from "../fault.js";
import type { Halts } from "./halts/halts.js";
import { inTime } from "./inTime.js";
import type { Recovery } from "./recovery.js";
import { isClientFault, type Plan, problemsOf, rejected, type WriteRequest, type WriteResult } from "./write.js";

/** With more open writes than this nothing new is sent. */
const MAX_OPEN = 10_000;

interface PreparationParts {
  readonly client: ExchangeClient;
  readonly clock: Clock;
  readonly halts: Halts;
  readonly recovery: Pick<Recovery, "before">;
  /** How many writes are being looked up. */
  readonly open: () => number;
}

/** What comes before a write leaves: its plan, the rules, halts and limits that it keeps, and what was left open before it. */
export class Preparation {
  constructor(private readonly parts: PreparationParts) {}

  /** A plan that keeps every rule, or the refusal. */
  async plan<R>(request: WriteRequest<R>): Promise<Plan<R> | WriteResult<never>> {
    let fields: Readonly<Record<string, string>> = {};
    try {
      const planned = await request.plan();
      fields = planned.fields;
      const { endpoint } = planned.policy;
      const broken = violations(endpoint, planned.values, this.parts.client.exchangeClock.now());
      if (broken.length > 0) throw badInput(broken.map(({ parameter, rule }) => ({ argument: parameter, rule })));
      const alsoBroken = planned.rules();
      if (alsoBroken.length > 0) throw badInput(alsoBroken);
      if (!planned.reducesRisk) this.parts.halts.refuseHalted(request.account);
      return planned;
    } catch (error) {
      if (error instanceof Fault && isClientFault(error)) return rejected(problemsOf(error, fields));
      throw error;
    }
  }

  /** Holds a plan against the limits. With a key what it uses is counted until it is known to have had no effect. */
  async refusedByLimits(
    request: WriteRequest<unknown>,
    user: string,
    { policy, values, exposure }: Plan<unknown>,
    key?: string,
  ): Promise<WriteResult<never> | undefined> {
    if (exposure === undefined) return undefined;
    const clientOid: unknown = policy.clientOid === undefined ? undefined : values[policy.clientOid];
    const reserve = key === undefined ? undefined : { key, clientOid: typeof clientOid === "string" ? clientOid : undefined };
    try {
      await request.passLimits(user, exposure, reserve);
      return undefined;
    } catch (error) {
      if (error instanceof Fault && isClientFault(error)) return rejected(problemsOf(error));
      throw error;
    }
  }

  /**
   * A plan whose time has come. What was open at the start is settled first, so that no new write crosses an old one, except
   * by a write that only takes risk away: that never waits. `unreadable`: why it cannot be said what the key stands for.
   */
  async ready<R>(
    request: WriteRequest<R>,
    user: string,
    deadlineAt: number,
    unreadable: { readonly why: unknown } | undefined,
  ): Promise<Plan<R> | WriteResult<never>> {
    const { clock, recovery, open } = this.parts;
    const plan = await this.plan(request);
    if ("outcome" in plan || plan.reducesRisk) return plan;
    // Whether it has left before is not known: that holds up all but what may leave twice.
    if (unreadable !== undefined) throw unreadable.why;
    if (open() >= MAX_OPEN) throw busy("too many writes are waiting to be settled");
    const before = await recovery.before(user);
    if (before === undefined) return plan;
    if ((await inTime(clock, before.settled, deadlineAt - clock.now())) === undefined)
      throw busy(`earlier writes of ${request.account.name} are still being settled`);
    // What was settled meanwhile may have changed what the plan was made for.
    return this.plan(request);
  }
}

const busy = (why: string): Fault => new Fault("EXCHANGE_UNAVAILABLE", `${why}; nothing was sent`, { retryAfterMs: 1_000 });
