import type { Credential } from "@exchange-graph/sandbox/credentials";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Transport, TransportFailure } from "../../../src/datasources/calls/client/transport.js";
import { type DataSource, Fault } from "../../../src/datasources/index.js";
import { fileStores } from "../../../src/datasources/writes/index.js";
import { armDeadMansSwitch, disarmDeadMansSwitch } from "../../../src/datasources/writes/mutations/deadMansSwitch.js";
import { SWITCH_FAILURE } from "../../../src/datasources/writes/switchKeeper.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { accountIn, sandboxAccount } from "../../support/exchangeOver.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { writesOn } from "../../support/writesOn.js";
import { place, resting } from "./support/limitOrder.js";
import { type LiveExchange, SANDBOX_ACCOUNTS, startLiveExchange, UID } from "./support/liveExchange.js";

const newFile = temporaryFiles();

let live: LiveExchange;
async function begin(settings: Parameters<typeof startLiveExchange>[0] = {}): Promise<void> {
  live = await startLiveExchange(settings);
  await live.identified();
  live.exchange.writes.switches.start();
  await live.during(place(live, resting("a")));
}
/** A journal that several processes open, one after the other or at once. */
afterEach(() => live.close());

const arm = (seconds: number, idempotencyKey?: string) =>
  live.during(armDeadMansSwitch(live.writes(), live.account("main"), { seconds, idempotencyKey }));
const disarm = () => live.during(disarmDeadMansSwitch(live.writes(), live.account("main"), {}));
const armed = () => live.during(live.exchange.writes.switches.of(live.account("main")));
/** The open orders at the exchange by now. */
const open = () => {
  live.sandbox.world.advance();
  return [...live.sandbox.world.state.orders.open(UID.main)].map(({ clientOid }) => clientOid);
};
const calls = () => live.sandbox.calls.of("countdownCancelAll").total;

const REFUSED = { kind: "answer", status: 400, code: "40014", msg: "Incorrect permissions" } as const;

describe("a dead man's switch", () => {
  beforeEach(() => begin());

  it("is kept alive while the gateway runs, and shows until when it is armed", async () => {
    expect((await arm(10)).outcome).toBe("ACCEPTED");
    const before = await armed();
    expect(before).toMatchObject({ seconds: 10, until: (before?.since ?? 0) + 10_000 });
    await live.pass(60_000);
    expect(open()).toEqual(["a"]);
    expect((await armed())?.until).toBeGreaterThan((before?.until ?? 0) + 50_000);
    expect(calls()).toBeLessThan(40);
  });

  it("does not fire by one call without an answer", async () => {
    await arm(5);
    live.sandbox.faults.add({ endpoint: "countdownCancelAll", fault: { kind: "latency", delayMs: 60_000 }, times: 1 });
    await live.pass(30_000);
    expect(open()).toEqual(["a"]);
  });

  it("leaves room in the rate limit for writes of a gateway that does not know of it", async () => {
    await arm(5);
    const other = live.another();
    try {
      const { writes } = other;
      await live.during(Promise.all(other.accounts.map((account) => writes.users.of(account))));
      const main = accountIn(other, "main");
      const disarmed = async () => (await live.during(disarmDeadMansSwitch(writesOn(other), main, {}))).outcome === "ACCEPTED";
      let tries = 1;
      while (tries < 10 && !(await disarmed())) {
        tries++;
        await live.pass(1_300);
      }
      expect(tries).toBeLessThan(10);
    } finally {
      await other.close();
    }
  });

  it("is disarmed for good, though a call that kept it alive arrives late", async () => {
    await arm(10);
    live.sandbox.faults.add({ endpoint: "countdownCancelAll", fault: { kind: "latency", delayMs: 8_000 }, times: 1 });
    const before = calls();
    while (calls() === before) await live.pass(50);
    expect((await disarm()).outcome).toBe("ACCEPTED");
    expect(await armed()).toBeUndefined();
    await live.pass(60_000);
    expect(open()).toEqual(["a"]);
    const last = calls();
    await live.pass(30_000);
    expect(calls()).toBe(last);
  });

  it("does not fire by a late call of a former one that was shorter", async () => {
    await arm(5);
    live.sandbox.faults.add({ endpoint: "countdownCancelAll", fault: { kind: "latency", delayMs: 8_000 }, times: 1 });
    const before = calls();
    while (calls() === before) await live.pass(50);
    expect((await arm(60)).outcome).toBe("ACCEPTED");
    await live.pass(60_000);
    expect(open()).toEqual(["a"]);
  });

  it("stays armed and alive during a halt, in which it can be neither armed nor disarmed", async () => {
    await arm(10);
    await live.exchange.writes.halts.halt({ account: live.account("main"), since: 1, by: null, reason: null });
    for (const { problems } of [await arm(60), await disarm()]) expect(problems).toMatchObject([{ code: "TRADING_HALTED" }]);
    await live.pass(30_000);
    expect([open(), (await armed())?.seconds]).toEqual([["a"], 10]);
  });

  it("is armed again in the journal every hour, because the journal forgets", async () => {
    await arm(60);
    const first = await armed();
    await live.pass(3_700_000);
    const now = await armed();
    expect((now?.since ?? 0) - (first?.since ?? 0)).toBeGreaterThan(0);
    expect([now?.seconds, open()]).toEqual([60, ["a"]]);
  });

  it("is not armed by a refused write, and stays as it was", async () => {
    await arm(30);
    // The next call to keep it alive is seconds away.
    await live.pass(2_000);
    live.sandbox.faults.add({ endpoint: "countdownCancelAll", fault: REFUSED, times: 1 });
    const { outcome } = await arm(60);
    expect([outcome, (await armed())?.seconds]).toEqual(["REJECTED", 30]);
    await live.pass(45_000);
    expect(open()).toEqual(["a"]);
  });

  it("counts from 5 to 60 seconds, on unified accounts", async () => {
    const message = "seconds must be a whole number from 5 to 60";
    for (const seconds of [-1, 0, 4, 61])
      expect((await arm(seconds)).problems).toMatchObject([{ code: "BAD_USER_INPUT", field: "seconds", message }]);
    const classic = armDeadMansSwitch(live.writes(), live.account("classic"), { seconds: 30 });
    expect((await live.during(classic)).problems).toMatchObject([{ code: "ACCOUNT_MODE_MISMATCH", field: "account" }]);
  });
});

it("a dead man's switch cancels every order when the gateway is gone, and not after a restart in time", async () => {
  await begin({ journalPath: newFile() });
  await arm(20);
  await live.restart();
  await live.identified();
  live.exchange.writes.switches.start();
  await live.pass(60_000);
  expect(open()).toEqual(["a"]);
  live.exchange.writes.switches.stop();
  await live.pass(21_000);
  expect(open()).toEqual([]);
});

it.each(["refuses", "does not answer"])("a dead man's switch is kept alive while the journal %s", async (how) => {
  let isAway = false;
  const unavailable = new Fault("JOURNAL_UNAVAILABLE", "the journal is away");
  const answer = () => (how === "refuses" ? Promise.reject(unavailable) : new Promise<never>(() => undefined));
  await begin({
    writeStores: (parts) => {
      const stores = fileStores(newFile())(parts);
      const journal = new Proxy(stores.journal, {
        get(target, name) {
          const found: unknown = Reflect.get(target, name, target);
          return typeof found === "function" ? (isAway ? answer : found.bind(target)) : found;
        },
      });
      return { ...stores, journal };
    },
  });
  await arm(5);
  await live.pass(5_000);
  isAway = true;
  await live.pass(30_000);
  expect(open()).toEqual(["a"]);
  isAway = false;
});

it("a dead man's switch for whose calls there is no slot is reported once", async () => {
  const instrumentation = ownInstrumentation();
  const failures: unknown[] = [];
  listen(instrumentation, instrumentation.failure, ({ what }) => {
    failures.push(what);
  });
  await begin({ instrumentation });
  await arm(30);
  const limited = { kind: "answer", status: 429, code: "429", msg: "Too Many Requests" } as const;
  live.sandbox.faults.add({ endpoint: "countdownCancelAll", fault: limited, times: 3 });
  await live.pass(40_000);
  expect(failures).toEqual([SWITCH_FAILURE]);
});

it.each([0, 3])("a dead man's switch is kept alive though another key of the user may not trade, at place %i", async (at) => {
  const viewer: Credential = {
    ...{ key: "viewer-key", secret: "viewer-secret", passphrase: "viewer1", uid: UID.main, isDemo: false },
    permissions: ["uta_trade:read", "uta_mgt:read"],
  };
  live = await startLiveExchange(
    { accounts: SANDBOX_ACCOUNTS.toSpliced(at, 0, sandboxAccount("viewer", viewer)) },
    { credentials: [viewer] },
  );
  await live.identified();
  live.exchange.writes.switches.start();
  await live.during(place(live, resting("a")));
  await arm(5);
  await live.pass(30_000);
  // A call without an answer is no refusal.
  live.sandbox.faults.add({ endpoint: "countdownCancelAll", fault: { kind: "latency", delayMs: 60_000 }, times: 1 });
  await live.pass(30_000);
  expect([open(), live.sandbox.calls.of("countdownCancelAll").refused]).toEqual([["a"], 0]);
});

it("a dead man's switch is kept alive while a call about another user's has no answer", async () => {
  let real: Transport | undefined;
  let isHung = false;
  await begin({
    transport: {
      send(request) {
        real ??= new Transport(new URL(live.sandbox.url), live.clock, 8);
        const isOfMain = request.headers.includes("sandbox-main-key") && request.target.endsWith("countdown-cancel-all");
        if (!isHung || !isOfMain) return real.send(request);
        return new Promise((_, reject) => {
          live.clock.after(request.deadlineAt - live.clock.now(), () => reject(new TransportFailure("timeout", false)));
        });
      },
      async close() {
        await real?.close();
        real = undefined;
      },
    },
  });
  live.sandbox.world.modes.upgrade(UID.classic);
  await live.pass(90_000);
  await live.restart();
  await live.identified();
  live.exchange.writes.switches.start();
  await arm(60);
  expect(await live.during(armDeadMansSwitch(live.writes(), live.account("classic"), { seconds: 5 }))).toMatchObject({
    outcome: "ACCEPTED",
  });
  expect((await live.during(place(live, resting("b"), "classic"))).outcome).toBe("ACCEPTED");
  isHung = true;
  await live.pass(50_000);
  expect([...live.sandbox.world.state.orders.open(UID.classic)].map(({ clientOid }) => clientOid)).toEqual(["b"]);
});

describe("a dead man's switch of three processes that share a journal", () => {
  let others: readonly DataSource[] = [];
  const all = () => [live.exchange, ...others];
  beforeEach(async () => {
    await begin({ journalPath: newFile() });
    others = [live.another(), live.another()];
    for (const { writes, accounts } of others) {
      await live.during(Promise.all(accounts.map((account) => writes.users.of(account))));
      writes.switches.start();
    }
  });
  afterEach(async () => {
    for (const other of others) await other.close();
  });
  const keptBy = (exchange: DataSource) => live.during(exchange.writes.switches.of(live.account("main")));

  it.each([
    [5, 61],
    [60, 4],
  ])(
    "of %i seconds is kept alive by one of them, with at most %i calls a minute, and each shows until when",
    async (seconds, most) => {
      await arm(seconds);
      // Each looks at what others have armed every ten seconds.
      await live.pass(20_000);
      const before = calls();
      await live.pass(60_000);
      const after = calls();
      expect(after - before).toBeLessThanOrEqual(most);
      expect(after - before).toBeGreaterThan(0);
      const shown = await Promise.all(all().map(async (exchange) => (await keptBy(exchange))?.until ?? 0));
      for (const until of shown) expect(Math.abs(until - Math.max(...shown))).toBeLessThan(2_000);
      expect(Math.max(...shown)).toBeGreaterThan(live.clock.now());
      expect(open()).toEqual(["a"]);
    },
  );

  it("goes on though those that keep it alive end one after the other", async () => {
    const seconds = 5;
    await arm(seconds);
    await live.pass(15_000);
    for (const { writes } of all().slice(0, 2)) {
      writes.switches.stop();
      await live.pass(3 * seconds * 1_000);
      expect(open()).toEqual(["a"]);
    }
    others[1]?.writes.switches.stop();
    await live.pass(seconds * 1_000 + 1_000);
    expect(open()).toEqual([]);
  });

  it("is kept alive by another one at once if a call of the one that does fails", async () => {
    await arm(5);
    await live.pass(15_000);
    for (let round = 0; round < 5; round++) {
      live.sandbox.faults.add({ endpoint: "countdownCancelAll", fault: { kind: "reset" }, times: 1 });
      await live.pass(6_000);
      expect(open()).toEqual(["a"]);
    }
  });
});
