import { systemClock } from "@exchange-graph/contract/clock";
import { heldOpen } from "./commands/heldOpen.js";
import type { Logger } from "./telemetry/logs/log.js";

/** Time for closing files and sockets after that for running requests. */
const CLOSING_MS = 2_000;
/** The first signal stops gracefully, a second one immediately. */
export function stopOnSignal(log: Logger, timeoutMs: number, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping");
    systemClock.after(timeoutMs + CLOSING_MS, () => {
      log.warn({ timeoutMs }, "not everything was closed in time");
      process.exit(0);
    });
    heldOpen(stop).then(
      () => process.exit(0),
      (error: unknown) => end(log, error),
    );
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}

/** After an uncaught error the state is unknown: the process logs it and ends. */
export function end(log: Logger, error: unknown): never {
  log.fatal({ err: error }, "the process ends: unexpected error");
  process.exit(1);
}
