import type { Clock } from "@exchange-graph/contract/clock";
import { inTime } from "../../datasources/errors/index.js";
import { Fault } from "../../datasources/index.js";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";

/** How well something works that the gateway depends on. `degraded`: in part. The reason may be shown to everybody. */
export type DependencyState =
  | { readonly state: "up" }
  | {
      readonly state: "degraded" | "down";
      readonly reason: string;
      /** More about it, as JSON, for clients with the scope `admin`. */
      readonly details?: unknown;
    };

/** Something that the gateway depends on, or that operators should know of. */
export interface Dependency {
  readonly name: string;
  /** Whether the process is not ready before this was once not `down`. */
  readonly isNeeded: boolean;
  /** A `Fault` that it throws counts as `down`, with its message as the reason. */
  check(): Promise<DependencyState> | DependencyState;
}

/** The condition of a dependency, and since when it has been in this state, as far as this process has seen, in Unix ms. */
export type DependencyCondition = DependencyState & { readonly name: string; readonly since: number };

/** Timeout of a check; a slower one counts as `down`. */
const CHECK_TIMEOUT_MS = 2_000;
/** Interval of checks that nobody has requested, so that `since` is right. */
const CHECK_EVERY_MS = 5_000;

const TOO_SLOW: DependencyState = { state: "down", reason: `no answer within ${CHECK_TIMEOUT_MS} ms` };
const UNEXPECTED: DependencyState = { state: "down", reason: "the check failed unexpectedly: see the log" };
export const UP: DependencyState = { state: "up" };

/**
 * Whether this process can serve. It is not ready before everything that it needs has worked at the same time, so that a rollout
 * of wrong settings stops. From then on it is ready: it answers what it can while something is down, and a proxy that took it out
 * would also stop the cancels and halts that still work.
 */
export class Readiness {
  readonly #conditions = new Map<string, DependencyCondition>();
  #hasBeenReady = false;
  #running: Promise<readonly DependencyCondition[]> | undefined;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly dependencies: readonly Dependency[],
    private readonly clock: Clock,
    private readonly instrumentation: Instrumentation = INSTRUMENTATION,
  ) {}

  /** The reason why this process cannot serve yet; `undefined` from the first time on that it can. */
  async whyNotReady(): Promise<string | undefined> {
    if (this.#hasBeenReady) return undefined;
    return this.#missing(await this.conditions());
  }

  /** Checks all dependencies. Callers at the same time share the checks. Never rejects. */
  conditions(): Promise<readonly DependencyCondition[]> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Checks regularly until `close`. */
  watch(): void {
    this.#cancel = this.clock.after(CHECK_EVERY_MS, () => {
      this.watch();
      void this.conditions();
    });
  }

  close(): void {
    this.#cancel?.();
  }

  async #check(): Promise<readonly DependencyCondition[]> {
    const conditions = await Promise.all(this.dependencies.map((dependency) => this.#conditionOf(dependency)));
    if (this.#missing(conditions) === undefined) this.#hasBeenReady = true;
    return conditions;
  }

  #missing(conditions: readonly DependencyCondition[]): string | undefined {
    const needed = new Set(this.dependencies.filter(({ isNeeded }) => isNeeded).map(({ name }) => name));
    const reasons = conditions.flatMap((one) =>
      one.state === "down" && needed.has(one.name) ? [`${one.name}: ${one.reason}`] : [],
    );
    return reasons.length === 0 ? undefined : reasons.join("; ");
  }

  async #conditionOf(dependency: Dependency): Promise<DependencyCondition> {
    const { name } = dependency;
    const found = (await inTime(this.clock, this.#checked(dependency), CHECK_TIMEOUT_MS)) ?? TOO_SLOW;
    const before = this.#conditions.get(name);
    const condition = { name, ...found, since: before?.state === found.state ? before.since : this.clock.now() };
    this.#conditions.set(name, condition);
    return condition;
  }

  async #checked(dependency: Dependency): Promise<DependencyState> {
    try {
      return await dependency.check();
    } catch (error) {
      if (error instanceof Fault) return { state: "down", reason: error.message };
      this.instrumentation.failure.publish({ error, what: `the check of ${dependency.name} for /readyz failed` });
      return UNEXPECTED;
    }
  }
}
