import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, afterEach, beforeAll, onTestFinished, vi } from "vitest";
import { Secret } from "../../../../src/datasources/errors/secret.js";
import { createInstrumentation, listen } from "../../../../src/instrumentation/instrumentation.js";
import { age, type RedisServer, redisServer } from "../../../../test/support/redisServer.js";
import type { Connect } from "../../src/redis/redisConnection.js";
import { RedisEngine } from "../../src/redis/redisEngine.js";

let replicas = 0;

/** Channels on which a failure fails the test. */
function strict() {
  const events = createInstrumentation(`redis-${replicas}`);
  onTestFinished(
    listen(events, events.failure, ({ error }) => {
      queueMicrotask(() => {
        throw error;
      });
    }),
  );
  return events;
}

/** A replica's connection to a server; closed with the test. */
export async function engineOf(
  url: string,
  replica = `replica-${replicas++}`,
  egressGroup = "default",
  monotonic = () => performance.now(),
  connect?: Connect,
): Promise<RedisEngine> {
  const engine = new RedisEngine(
    { url: new Secret(url), replica, egressGroup, realm: "test" },
    {
      instrumentation: strict(),
      clock: systemClock,
      monotonic,
      random: Math.random,
      newName: () => randomUUID(),
      connect,
    },
  );
  onTestFinished(() => engine.close());
  await engine.start();
  // On a busy machine the first attempt may take too long.
  if (connect === undefined) await vi.waitUntil(() => engine.isUp, 10_000);
  return engine;
}

/** A server for the tests of a file, which is emptied after each of them. */
export function fileRedis(): RedisServer {
  let server: RedisServer;
  beforeAll(async () => {
    server = await redisServer();
  });
  afterAll(() => server.close());
  afterEach(async () => {
    server.resume();
    await server.run("FLUSHALL");
    await age(server, "test");
  });
  return new Proxy({} as RedisServer, { get: (_, name) => Reflect.get(server, name) });
}
