import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { cancelOpenOrders } from "../../../src/datasources/writes/halts/cancelOpen.js";
import { HaltFile, NO_HALT_STORE } from "../../../src/datasources/writes/halts/haltStore.js";
import { Halts } from "../../../src/datasources/writes/halts/halts.js";
import { place, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const folder = mkdtempSync(join(tmpdir(), "halts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HALT = { account: "main", since: 1_000, by: "operator", reason: "a bad day" };

let live: LiveExchange;
let path: string;
let files = 0;
beforeEach(async () => {
  path = join(folder, `${files++}.sqlite`);
  live = await startLiveExchange({ journalPath: path });
});
afterEach(() => live.close());

const halts = () => live.exchange.writes.halts;

describe("a halt", () => {
  it("holds after a restart, and does not once it has been ended", async () => {
    expect(await halts().halt(HALT)).toBe(true);
    await live.restart();
    expect(halts().all).toEqual([HALT]);
    expect((await live.during(place(live, resting("late")))).problems.map(({ code }) => code)).toEqual(["TRADING_HALTED"]);
    expect(await halts().resume("main")).toBe(true);
    await live.restart();
    expect((await live.during(place(live, resting("late")))).outcome).toBe("ACCEPTED");
    expect(statSync(`${path}.halts.json`).mode & 0o777).toBe(0o600);
  });

  it("says that it ends with the process where the journal is in memory", async () => {
    const memory = new Halts(NO_HALT_STORE, () => undefined);
    expect(await memory.halt(HALT)).toBe(false);
    expect(memory.all).toEqual([HALT]);
  });

  it("lets no order leave that waits for its turn, and their keys are free afterwards", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `queued-${at}`);
    const waiting = Promise.all(names.map((name) => place(live, resting(name))));
    await live.pass(100);
    const left = live.sandbox.calls.of("placeOrder").total;
    await halts().halt(HALT);
    const results = await live.during(waiting);
    expect(left).toBeGreaterThan(0);
    expect(live.sandbox.calls.of("placeOrder").total).toBe(left);
    const halted = results.filter(({ problems: [problem] }) => problem?.code === "TRADING_HALTED");
    expect(halted).toHaveLength(names.length - left);
    await halts().resume("main");
    await live.pass(60_000);
    expect((await live.during(place(live, resting("queued-59")))).outcome).toBe("ACCEPTED");
  });

  it("cancels orders too that were on their way when it began", async () => {
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 500 } });
    const waiting = Promise.all(["one", "two"].map((name) => place(live, resting(name))));
    await live.pass(100);
    await halts().halt(HALT);
    const { cancelled, failures } = await live.during(cancelOpenOrders(live.reads(), live.account("main")));
    expect((await live.during(waiting)).map(({ outcome }) => outcome)).toEqual(["ACCEPTED", "ACCEPTED"]);
    expect([cancelled, failures]).toEqual([2, []]);
    expect(live.sandbox.world.state.orders.open(UID.main)).toHaveLength(0);
  });

  it("says which orders could not be cancelled", async () => {
    await live.during(place(live, resting("stays")));
    live.sandbox.faults.add({ endpoint: "cancelOrder", fault: { kind: "answer", status: 400, code: "40762", msg: "no" } });
    const { cancelled, failures } = await live.during(cancelOpenOrders(live.reads(), live.account("main")));
    expect([cancelled, failures]).toMatchObject([0, [{ symbol: "BTCUSDT", why: expect.stringContaining("no") }]]);
  });

  it("holds though it cannot be stored, and says so", async () => {
    mkdirSync(`${path}.halts.json`);
    const error: unknown[] = [];
    expect(await halts().halt(HALT)).toBe(false);
    expect([halts().all, error]).toEqual([[HALT], []]);
    rmSync(`${path}.halts.json`, { recursive: true });
  });
});

describe("the file of halts", () => {
  const file = () => join(folder, `${files++}.halts.json`);

  it("is shared: what another process changes is taken over, what could not be stored stays", async () => {
    const at = file();
    const unstored: unknown[] = [];
    const [one, other] = [new HaltFile(at), new HaltFile(at)].map((store) => new Halts(store, (error) => unstored.push(error)));
    await one?.halt(HALT);
    await other?.halt({ ...HALT, account: "classic" });
    one?.takeOver(new HaltFile(at).read());
    expect(one?.all.map(({ account }) => account)).toEqual(["classic", "main"]);
    mkdirSync(`${at}.next`);
    expect(await one?.halt({ ...HALT, account: null })).toBe(false);
    one?.takeOver(new HaltFile(at).read());
    expect([one?.all.map(({ account }) => account), unstored.length]).toEqual([[null, "classic", "main"], 1]);
  });

  it.each([
    ["{}", 0o600, "must be a list of {account, since, by, reason}"],
    ["[", 0o600, "is not valid JSON"],
    ["[]", 0o666, "can be changed by other users"],
  ])("keeps the gateway from starting when it holds %s with mode %o", (content, mode, says) => {
    const at = file();
    writeFileSync(at, content);
    chmodSync(at, mode);
    expect(() => new HaltFile(at).read()).toThrow(says);
  });
});
