import type { Health } from "../../../src/transports/http/health.js";
import type { DependencyCondition } from "../../../src/transports/http/readiness.js";

/** A gateway that can serve, with these dependencies. */
export const readyWith = (...conditions: readonly DependencyCondition[]): Health["readiness"] => ({
  whyNotReady: async () => undefined,
  conditions: async () => conditions,
});

/** A gateway that cannot serve yet, for this reason. */
export const notReady = (reason: string): Health["readiness"] => ({ ...readyWith(), whyNotReady: async () => reason });
