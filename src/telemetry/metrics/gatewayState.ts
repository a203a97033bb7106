import { Gauge, type Registry } from "prom-client";
import { VERSION } from "../../config/version.js";
import type { FanOut } from "../../engine/subscriptions/fanOut.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";
import { collectedIn, labelled } from "./collected.js";

/** The versions that run, as labels of a constant. */
export function buildInfo(registry: Registry): void {
  new Gauge({
    name: "exchange_graph_build_info",
    help: "1, with the versions of the gateway and of Node as labels",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version: VERSION, node: process.versions.node }, 1);
}

/** Metrics of connections, listeners and groups, and of deliveries to listeners of subscriptions. */
export function listenerState(registry: Registry, fanOut: FanOut, connections: () => number): void {
  const { gauges, counters } = collectedIn(registry);
  counters(
    "exchange_graph_stream_messages_total",
    "Events for listeners by result: delivered, missed (merged into a newer one), or cut (the socket of a slow reader was closed)",
    ["result"],
    () => labelled("result", Object.entries(fanOut.counts)),
  );
  gauges(
    "exchange_graph_subscriptions",
    "Open connections and subscriptions: sockets, listeners, and groups of listeners that share one execution",
    ["what"],
    () => {
      const open = { sockets: connections(), listeners: fanOut.listeners, groups: fanOut.groups };
      return labelled("what", Object.entries(open));
    },
  );
}

/** State of the Redis that replicas share. */
export interface RedisState {
  readonly isUp: boolean;
  /** Replicas of the last 30 s; undefined if it was never reached. */
  readonly replicas: number | undefined;
}

export function redisState(registry: Registry, engine: RedisState): void {
  const { gauge } = collectedIn(registry);
  gauge(
    "exchange_graph_engine_up",
    "1 while Redis can be reached, 0 while this replica continues alone; absent without REDIS_URL",
    () => (engine.isUp ? 1 : 0),
  );
  gauge(
    "exchange_graph_engine_replicas",
    "Replicas that used Redis in the last 30 s, by its last answer; absent without REDIS_URL",
    () => engine.replicas ?? 0,
  );
}

/** Metrics of settings whose changed files are invalid or missing. */
export const fileState = (registry: Registry, files: WatchedFiles): void =>
  collectedIn(registry).gauges(
    "exchange_graph_unusable_files",
    "1 for each setting whose file has changed and cannot be used; absent for the others",
    ["setting"],
    () => Array.from(files.failing.keys(), (setting) => [{ setting }, 1]),
  );

/** Metrics of lines that were lost to a full disk or a slow reader. */
export const lostLines = (
  registry: Registry,
  { log, audit }: Readonly<Record<"log" | "audit", { readonly lost: number }>>,
): void =>
  collectedIn(registry).counters(
    "exchange_graph_log_lines_lost_total",
    "Lines of the log and of the audit that could not be written",
    ["stream"],
    () => labelled("stream", Object.entries({ log: log.lost, audit: audit.lost })),
  );
