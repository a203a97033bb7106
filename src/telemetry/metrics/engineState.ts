import { Gauge, type Registry } from "prom-client";
import type { Engine } from "../../datasources/redis/engine.js";

/** How what replicas share stands. */
export function engineState(registry: Registry, engine: Pick<Engine, "isUp" | "replicas">): void {
  const registers = [registry];
  new Gauge({
    name: "exchange_graph_engine_up",
    help: "1 while Redis can be reached, 0 while this replica goes on by itself; nothing without REDIS_URL",
    registers,
    collect() {
      this.set(engine.isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: "exchange_graph_engine_replicas",
    help: "Replicas that Redis has heard of in the last 30 s, by its last answer; nothing without REDIS_URL",
    registers,
    collect() {
      this.set(engine.replicas ?? 0);
    },
  });
}
