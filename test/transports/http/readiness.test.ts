import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeEach, expect, it } from "vitest";
import { Fault } from "../../../src/datasources/index.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { type Dependency, type DependencyState, Readiness, UP } from "../../../src/transports/http/readiness.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";

const START = Date.UTC(2028, 4, 31, 12);
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock(START);
});

/** A dependency whose condition the test sets; it counts its checks. */
class Scripted implements Dependency {
  checks = 0;
  condition: DependencyState | Fault | Error | Promise<DependencyState> = UP;
  constructor(
    readonly name: string,
    readonly isNeeded = true,
  ) {}
  async check(): Promise<DependencyState> {
    this.checks++;
    const condition = await this.condition;
    if (condition instanceof Error) throw condition;
    return condition;
  }
}

const DOWN: DependencyState = { state: "down", reason: "it does not answer" };

it("is not ready until everything needed has worked at the same time, and ready from then on", async () => {
  const [exchange, journal] = [new Scripted("exchange"), new Scripted("journal")];
  const readiness = new Readiness([exchange, journal], clock);
  journal.condition = DOWN;
  expect(await readiness.whyNotReady()).toBe("journal: it does not answer");
  [journal.condition, exchange.condition] = [UP, DOWN];
  expect(await readiness.whyNotReady()).toBe("exchange: it does not answer");
  exchange.condition = UP;
  expect(await readiness.whyNotReady()).toBeUndefined();
  [journal.condition, exchange.condition] = [DOWN, DOWN];
  expect(await readiness.whyNotReady()).toBeUndefined();
  expect(await readiness.conditions()).toEqual([
    { name: "exchange", ...DOWN, since: START },
    { name: "journal", ...DOWN, since: START },
  ]);
});

it("does not wait for what is not needed, and serves with what works in part", async () => {
  const [files, keys] = [new Scripted("files", false), new Scripted("keys")];
  files.condition = DOWN;
  keys.condition = { state: "degraded", reason: "one is refused" };
  expect(await new Readiness([files, keys], clock).whyNotReady()).toBeUndefined();
});

it("asks nothing once it is ready: a probe costs the exchange no call", async () => {
  const exchange = new Scripted("exchange");
  const readiness = new Readiness([exchange], clock);
  for (let count = 0; count < 5; count++) await readiness.whyNotReady();
  expect(exchange.checks).toBe(1);
});

it("shares one check among all who ask at the same time", async () => {
  const exchange = new Scripted("exchange");
  const readiness = new Readiness([exchange], clock);
  await Promise.all([readiness.whyNotReady(), readiness.conditions(), readiness.conditions()]);
  expect(exchange.checks).toBe(1);
});

it("keeps since when a state has lasted, also while nobody asks", async () => {
  const exchange = new Scripted("exchange");
  const readiness = new Readiness([exchange], clock);
  const since = async () => (await readiness.conditions()).map(({ since: at }) => at - START);
  readiness.watch();
  expect(await since()).toEqual([0]);
  exchange.condition = DOWN;
  clock.advance(5_000);
  await expect.poll(() => exchange.checks).toBe(2);
  clock.advance(1_000);
  exchange.condition = { state: "down", reason: "another reason" };
  expect(await since()).toEqual([5_000]);
  exchange.condition = UP;
  expect(await since()).toEqual([6_000]);
  readiness.close();
  expect(clock.pending).toBe(0);
});

it("counts a check that does not come back, and one that throws a fault, as down", async () => {
  const [exchange, journal] = [new Scripted("exchange"), new Scripted("journal")];
  exchange.condition = new Promise<DependencyState>(() => undefined);
  journal.condition = new Fault("JOURNAL_UNAVAILABLE", "the disk is full");
  const conditions = new Readiness([exchange, journal], clock).conditions();
  await expect.poll(() => journal.checks).toBe(1);
  clock.advance(2_000);
  expect(await conditions).toMatchObject([
    { state: "down", reason: "no answer within 2000 ms" },
    { state: "down", reason: "the disk is full" },
  ]);
  expect(clock.pending).toBe(0);
});

it("says nothing of why a check fails unexpectedly: the log does", async () => {
  const failures: unknown[] = [];
  const instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.failure, ({ error }) => failures.push(error));
  const exchange = new Scripted("exchange");
  exchange.condition = new Error("internal-detail");
  const reason = "exchange: the check failed unexpectedly: see the log";
  expect(await new Readiness([exchange], clock, instrumentation).whyNotReady()).toBe(reason);
  expect(failures).toEqual([exchange.condition]);
});
