import type { Clock } from "@exchange-graph/contract/clock";
import { Fault } from "../../datasources/index.js";
import type { Logger } from "./log.js";

/** While an endpoint is down, every use of an old answer tries to refresh it: one line per endpoint and minute says enough. */
const QUIET_MS = 60_000;

/** Writes down that old answers stay in use because newer ones cannot be had. */
export class RefreshLog {
  /** By endpoint: as many as the contract has. */
  readonly #loggedAt = new Map<string, number>();

  constructor(
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {}

  failed(endpoint: string, error: unknown): void {
    if (!(error instanceof Fault)) {
      this.log.error({ endpoint, err: error }, "unexpected error in a background refresh");
      return;
    }
    const now = this.clock.now();
    const loggedAt = this.#loggedAt.get(endpoint);
    if (loggedAt !== undefined && now - loggedAt < QUIET_MS) return;
    this.#loggedAt.set(endpoint, now);
    // Its text may hold what the exchange said about an account; the code says what to do.
    this.log.warn({ endpoint, code: error.code }, "an old answer stays in use: its refresh failed");
  }
}
