import { Counter, Gauge, type Registry } from "prom-client";
import { VERSION } from "../../config/version.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";
import type { Subscriptions } from "../../transports/subscriptions.js";

/** The versions that run, as labels of a constant. */
export function buildInfo(registry: Registry): void {
  new Gauge({
    name: "exchange_graph_build_info",
    help: "1, with the versions of the gateway and of Node as labels",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version: VERSION, node: process.versions.node }, 1);
}

/** Metrics of deliveries to listeners of subscriptions. */
function deliveries(registry: Registry, { counts }: Subscriptions["fanOut"]): void {
  new Counter({
    name: "exchange_graph_stream_messages_total",
    help: "Events for listeners by result: delivered, missed (merged into a newer one), or cut (the socket of a slow reader was closed)",
    labelNames: ["result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(counts)) this.inc({ result }, count);
    },
  });
}

/** Metrics of connections, listeners and groups. */
export function listenerState(registry: Registry, subscriptions: Pick<Subscriptions, "fanOut" | "connections">): void {
  deliveries(registry, subscriptions.fanOut);
  new Gauge({
    name: "exchange_graph_subscriptions",
    help: "Open connections and subscriptions: sockets, listeners, and groups of listeners that share one execution",
    labelNames: ["what"],
    registers: [registry],
    collect() {
      this.set({ what: "sockets" }, subscriptions.connections);
      this.set({ what: "listeners" }, subscriptions.fanOut.listeners);
      this.set({ what: "groups" }, subscriptions.fanOut.groups);
    },
  });
}

/** State of the Redis that replicas share. */
export interface RedisState {
  readonly isUp: boolean;
  /** Replicas of the last 30 s; undefined if it was never reached. */
  readonly replicas: number | undefined;
}

/** Metrics of the shared Redis. */
export function redisState(registry: Registry, engine: RedisState): void {
  const registers = [registry];
  new Gauge({
    name: "exchange_graph_engine_up",
    help: "1 while Redis can be reached, 0 while this replica continues alone; absent without REDIS_URL",
    registers,
    collect() {
      this.set(engine.isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: "exchange_graph_engine_replicas",
    help: "Replicas that used Redis in the last 30 s, by its last answer; absent without REDIS_URL",
    registers,
    collect() {
      this.set(engine.replicas ?? 0);
    },
  });
}

/** Metrics of settings whose changed files are invalid. */
export function fileState(registry: Registry, files: WatchedFiles): void {
  new Gauge({
    name: "exchange_graph_unusable_files",
    help: "1 for each setting whose file has changed and cannot be used, so that its former content stays in effect; absent for the others",
    labelNames: ["setting"],
    registers: [registry],
    collect() {
      this.reset();
      for (const setting of files.failing.keys()) this.set({ setting }, 1);
    },
  });
}

/** Metrics of lines that were lost to a full disk or a slow reader. */
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
