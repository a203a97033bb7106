import type { Clock } from "@exchange-graph/contract/clock";
import type { RateLimit } from "@exchange-graph/contract/endpoint";
import type { Requester } from "../../src/datasources/calls/scheduler/requester.js";
import { type Permit, Scheduler } from "../../src/datasources/calls/scheduler/scheduler.js";
import type { Priority } from "../../src/datasources/calls/scheduler/waitingLine.js";

const WIDE = { limit: 1_000_000, windowMs: 50 };

/** The real scheduler with limits that are never reached, for a fixed clock and for benchmarks. */
export class WideScheduler extends Scheduler {
  constructor(clock: Clock) {
    super(clock, { overall: WIDE });
  }

  override acquire(
    endpoint: string,
    counter: string,
    rate: RateLimit,
    priority: Priority,
    deadlineAt: number,
    requester?: Requester,
  ): Promise<Permit> {
    return super.acquire(
      endpoint,
      counter,
      { limit: WIDE.limit, windowMs: WIDE.windowMs, per: rate.per },
      priority,
      deadlineAt,
      requester,
    );
  }
}
