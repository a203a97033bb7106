import { afterEach, expect, it } from "vitest";
import { ManualClock } from "../../../src/clock.js";
import type { Readiness } from "../../../src/server/http/health.js";
import { type TinyGateway, tinyGateway } from "../tinyGateway.js";

let tiny: TinyGateway;
afterEach(() => tiny.gateway.stop());

const ask = async (path: string) => {
  const response = await fetch(tiny.url + path);
  return [response.status, await response.json()];
};

it("lives without being ready", async () => {
  tiny = await tinyGateway({ readiness: async () => ({ ready: false, reason: "the exchange does not answer" }) });
  expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
  expect(await ask("/readyz")).toEqual([503, { status: "not ready", reason: "the exchange does not answer" }]);
});

it("is ready when the check says so, asked anew each time", async () => {
  const states: Readiness[] = [{ ready: false, reason: "not yet" }, { ready: true }];
  tiny = await tinyGateway({ readiness: async () => states.shift() ?? { ready: false, reason: "no more states" } });
  expect(await ask("/readyz")).toEqual([503, { status: "not ready", reason: "not yet" }]);
  expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
});

it("is not ready when the check does not come back", async () => {
  const clock = new ManualClock(0);
  tiny = await tinyGateway({
    clock,
    readiness: () => {
      queueMicrotask(() => clock.advance(2_000));
      return new Promise<Readiness>(() => undefined);
    },
  });
  expect(await ask("/readyz")).toEqual([503, { status: "not ready", reason: "the readiness check took longer than 2000 ms" }]);
  expect(clock.pending).toBe(0);
});

it("is not ready, and says nothing of why, when the check itself fails", async () => {
  tiny = await tinyGateway({ readiness: () => Promise.reject(new Error("internal-detail")) });
  const [status, body] = await ask("/readyz");
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain("internal-detail");
  expect(tiny.lines.join()).toContain("internal-detail");
});
