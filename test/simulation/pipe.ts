import type { Clock } from "@exchange-graph/contract/clock";

/** A line between a process and a server: what is sent arrives in order, each way. */
export interface Pipe {
  /** Runs at the server. */
  out(task: () => void): void;
  /** Runs at the process, unless that was killed. */
  back(task: () => void): void;
}

/** Events of the same time have no order. */
const LEAST_MS = 0.001;

/** Opens a line. `server`: the clock of the world; `process`: that of the process; `latencyMs`: of each message. */
export function pipe(server: Clock, process: Clock, latencyMs: () => number): Pipe {
  let [outAt, backAt] = [0, 0];
  return {
    out(task) {
      outAt = Math.max(outAt + LEAST_MS, server.now() + latencyMs());
      server.after(outAt - server.now(), task);
    },
    back(task) {
      backAt = Math.max(backAt + LEAST_MS, server.now() + latencyMs());
      process.after(backAt - server.now(), task);
    },
  };
}
