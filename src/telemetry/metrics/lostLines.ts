import { Counter, type Registry } from "prom-client";

/** Lines that a full disk, or a reader that does not read, has cost. */
export function lostLines(registry: Registry, logs: Readonly<Record<"log" | "audit", { readonly lost: number }>>): void {
  new Counter({
    name: "exchange_graph_log_lines_lost_total",
    help: "Lines of the log and of the audit that could not be written",
    labelNames: ["stream"],
    registers: [registry],
    collect() {
      this.reset();
      for (const stream of ["log", "audit"] as const) this.inc({ stream }, logs[stream].lost);
    },
  });
}
