import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ManualClock, systemClock } from "@exchange-graph/contract/clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type FollowedHalts,
  type Halt,
  type HaltEdit,
  HaltFile,
  type HaltStore,
  MemoryHalts,
} from "../../../src/datasources/writes/halts/haltStore.js";
import { Halts } from "../../../src/datasources/writes/halts/halts.js";
import { cancelOpenOrders } from "../../../src/datasources/writes/mutations/cancelOpen.js";
import { modifyOrder } from "../../../src/datasources/writes/mutations/modifyOrder.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { place, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const newFile = temporaryFiles();

const HALT: Halt & { readonly account: string } = {
  user: UID.main,
  account: "main",
  since: 1_000,
  by: "operator",
  reason: "a bad day",
};

let live: LiveExchange;
let path: string;
let files = 0;
const file = () => newFile(`${files++}.halts.json`);
const store = (at: string) => new HaltFile(at, systemClock);

const halts = () => live.exchange.writes.halts;
/** Halts the account `main`, whose user is known by then. */
const haltMain = async () => {
  await live.during(live.exchange.users.of(live.account("main")));
  return halts().halt({ ...HALT, account: live.account("main") });
};

/** A store whose changes wait until the test lets them succeed or fail. */
class HeldStore implements HaltStore {
  readonly isDurable = true;
  readonly #waiting: ((isStored: boolean, others?: readonly Halt[]) => void)[] = [];
  #follower: FollowedHalts | undefined;

  constructor(private halts: readonly Halt[]) {}

  read(): readonly Halt[] {
    return this.halts;
  }

  follow(halts: FollowedHalts): void {
    this.#follower = halts;
  }

  change(edit: HaltEdit): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((isStored, others) => {
        if (!isStored) {
          reject(new Error("no space left"));
          return;
        }
        this.halts = others ?? edit(this.halts);
        this.#follower?.takeOver(this.halts);
        resolve();
      });
    });
  }

  /** Answers the oldest change; `others`: what another process has stored after it. */
  async answers(isStored: boolean, others?: readonly Halt[]): Promise<void> {
    (await vi.waitFor(() => this.#waiting.shift() ?? expect.fail()))(isStored, others);
  }
}

describe("a halt", () => {
  beforeEach(async () => {
    path = newFile();
    live = await startLiveExchange({ journalPath: path });
  });
  afterEach(() => live.close());

  it("holds after a restart, and does not once it has been ended", async () => {
    expect(await haltMain()).toBe(true);
    await live.restart();
    expect(halts().all).toEqual([HALT]);
    expect((await live.during(place(live, resting("late")))).problems.map(({ code }) => code)).toEqual(["TRADING_HALTED"]);
    expect(await halts().resume(live.account("main"))).toBe(true);
    await live.restart();
    expect((await live.during(place(live, resting("late")))).outcome).toBe("ACCEPTED");
    expect(["", ".lock"].map((ending) => statSync(`${path}.halts.json${ending}`).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it("says that it ends with the process where the journal is in memory", async () => {
    const { users } = live.exchange.writes;
    const memory = new Halts(new MemoryHalts(), users, () => undefined);
    await live.during(users.of(live.account("main")));
    expect(await memory.halt({ ...HALT, account: live.account("main") })).toBe(false);
    expect(memory.all).toEqual([HALT]);
  });

  it("ends once that is stored, and does not if another one is ordered meanwhile", async () => {
    const ALL: Halt = { ...HALT, user: null, account: null };
    const store = new HeldStore([ALL]);
    const failed = vi.fn();
    const one = new Halts(store, live.exchange.writes.users, failed);
    const refused = expect(one.resume(null)).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    await store.answers(false);
    await refused;
    expect([one.all, failed.mock.calls.length]).toEqual([[ALL], 1]);

    const ending = one.resume(null);
    const ordered = one.halt({ ...HALT, account: null, reason: "a worse day" });
    await store.answers(true);
    expect(await ending).toBe(true);
    expect(one.all.map(({ reason }) => reason)).toEqual(["a worse day"]);
    await store.answers(true);
    expect(await ordered).toBe(true);

    const last = one.resume(null);
    expect(one.all).toHaveLength(1);
    await store.answers(true);
    await last;
    expect(one.all).toEqual([]);
  });

  it("stays that another process has ordered after the end of one, though it is known before the end is confirmed", async () => {
    const ALL: Halt = { ...HALT, user: null, account: null };
    const store = new HeldStore([ALL]);
    const one = new Halts(store, live.exchange.writes.users, () => undefined);
    const ending = one.resume(null);
    await store.answers(true, [{ ...ALL, reason: "a worse day" }]);
    expect(await ending).toBe(true);
    expect(one.all.map(({ reason }) => reason)).toEqual(["a worse day"]);
  });

  it("is ended with those before it that could not be stored", async () => {
    const store = new HeldStore([]);
    const one = new Halts(store, live.exchange.writes.users, () => undefined);
    const ordered = one.halt({ ...HALT, account: null });
    await store.answers(false);
    expect([await ordered, one.all.length]).toEqual([false, 1]);
    const ending = one.resume(null);
    await store.answers(true);
    expect([await ending, one.all, store.read()]).toEqual([true, [], []]);
  });

  it("is not ordered again by a process that notes its user or its cancels when another one has ended it", async () => {
    const user = live.exchange.writes.users.known.standInOf(live.account("main"));
    const store = new HeldStore([{ ...HALT, user, cancelsOpen: true }]);
    const one = new Halts(store, live.exchange.writes.users, () => undefined);
    one.adopt(live.account("main"), UID.main);
    const noted = one.hasCancelled(HALT);
    expect(one.all).toMatchObject([{ user: UID.main }]);
    // Both are stored at once.
    await store.answers(true, []);
    await noted;
    expect([one.all, store.read()]).toEqual([[], []]);
  });

  it("lets no order leave that waits for its turn, and their keys are free afterwards", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `queued-${at}`);
    const waiting = Promise.all(names.map((name) => place(live, resting(name))));
    await live.pass(100);
    const left = live.sandbox.calls.of("placeOrder").total;
    await haltMain();
    const results = await live.during(waiting);
    expect(left).toBeGreaterThan(0);
    expect(live.sandbox.calls.of("placeOrder").total).toBe(left);
    const halted = results.filter(({ problems: [problem] }) => problem?.code === "TRADING_HALTED");
    expect(halted).toHaveLength(names.length - left);
    await halts().resume(live.account("main"));
    await live.pass(60_000);
    expect((await live.during(place(live, resting("queued-59")))).outcome).toBe("ACCEPTED");
  });

  it("cancels orders too that were on their way when it began", async () => {
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 500 } });
    const waiting = Promise.all(["one", "two"].map((name) => place(live, resting(name))));
    await live.pass(100);
    await haltMain();
    const { cancelled, failures } = await live.during(cancelOpenOrders(live.writes(), live.account("main")));
    expect((await live.during(waiting)).map(({ outcome }) => outcome)).toEqual(["ACCEPTED", "ACCEPTED"]);
    expect([cancelled, failures]).toEqual([2, []]);
    expect(live.sandbox.world.state.orders.open(UID.main)).toHaveLength(0);
  });

  it.each(["SPOT", "USDT-FUTURES"] as const)(
    "cancels the order that replaces one while it begins, on Classic in %s",
    async (category) => {
      const order = resting("before", { category });
      expect((await live.during(place(live, order, "classic"))).outcome).toBe("ACCEPTED");
      const endpoint = category === "SPOT" ? "classicReplaceSpotOrder" : "classicModifyFuturesOrder";
      live.sandbox.faults.add({ endpoint, fault: { kind: "latency", delayMs: 500 } });
      const change = {
        category,
        symbol: "BTCUSDT",
        clientOid: "before",
        newClientOid: "after",
        qty: "0.002",
        price: "59000",
      } as const;
      const changing = modifyOrder(live.writes(), live.account("classic"), change);
      await live.pass(100);
      await halts().halt({ ...HALT, account: live.account("classic") });
      const cancelling = cancelOpenOrders(live.writes(), live.account("classic"));
      const { failures } = await live.during(cancelling);
      await live.during(changing);
      expect([failures, [...live.sandbox.world.state.orders.open(UID.classic)]]).toEqual([[], []]);
    },
  );

  it("says which orders could not be cancelled", async () => {
    await live.during(place(live, resting("stays")));
    live.sandbox.faults.add({ endpoint: "cancelOrder", fault: { kind: "answer", status: 400, code: "40762", msg: "no" } });
    const { cancelled, failures } = await live.during(cancelOpenOrders(live.writes(), live.account("main")));
    expect([cancelled, failures]).toMatchObject([0, [{ symbol: "BTCUSDT", why: expect.stringContaining("no") }]]);
  });

  it("holds though it cannot be stored, and says so", async () => {
    mkdirSync(`${path}.halts.json`);
    const error: unknown[] = [];
    expect(await haltMain()).toBe(false);
    expect([halts().all, error]).toEqual([[HALT], []]);
    rmSync(`${path}.halts.json`, { recursive: true });
  });

  it("in a file is shared: what another process changes is taken over, what could not be stored stays", async () => {
    const at = file();
    const unstored: unknown[] = [];
    const { users } = live.exchange.writes;
    await live.during(Promise.all([users.of(live.account("main")), users.of(live.account("classic"))]));
    const [one, other] = [store(at), store(at)].map((each) => new Halts(each, users, (error) => unstored.push(error)));
    await one?.halt({ ...HALT, account: live.account("main") });
    await other?.halt({ ...HALT, account: live.account("classic") });
    one?.takeOver(store(at).read());
    expect(one?.all.map(({ account }) => account)).toEqual(["classic", "main"]);
    mkdirSync(`${at}.next`);
    expect(await one?.halt({ ...HALT, account: null })).toBe(false);
    one?.takeOver(store(at).read());
    expect([one?.all.map(({ account }) => account), unstored.length]).toEqual([[null, "classic", "main"], 1]);
  });

  it("that could not be stored in its file is stored as soon as that can be written", async () => {
    const at = file();
    const clock = new ManualClock(0);
    const failures: unknown[] = [];
    const one = new Halts(new HaltFile(at, clock), live.exchange.writes.users, (error) => failures.push(error));
    mkdirSync(`${at}.next`);
    expect(await one.halt({ ...HALT, account: null })).toBe(false);
    clock.advance(10_000);
    await expect.poll(() => failures.length).toBe(2);
    expect(store(at).read()).toEqual([]);
    rmSync(`${at}.next`, { recursive: true });
    clock.advance(10_000);
    await expect.poll(() => store(at).read()).toEqual([{ ...HALT, user: null, account: null }]);
    expect([failures.length, clock.pending]).toEqual([2, 0]);
  });
});

describe("the file of halts", () => {
  it("loses nothing of what its users change at once, in one process or in several", async () => {
    const at = file();
    const names = ["a", "b"].flatMap((who) => Array.from({ length: 10 }, (_, number) => `${who}-${number}`));
    const stores = [store(at), store(at)];
    await Promise.all(names.map((user, number) => stores[number % 2]?.change((halts) => [...halts, { ...HALT, user }])));
    expect(
      store(at)
        .read()
        .map(({ user }) => user)
        .sort(),
    ).toEqual([...names].sort());
    const script = join(import.meta.dirname, "support/manyHalts.mjs");
    const others = ["c", "d"].map((who) => spawn(process.execPath, [script, at, who], { stdio: ["pipe", "pipe", "inherit"] }));
    await Promise.all(others.map(({ stdout }) => once(stdout, "data")));
    for (const { stdin } of others) stdin.end("go");
    await Promise.all(others.map((other) => once(other, "exit")));
    expect(store(at).read()).toHaveLength(names.length + 2 * 10);
  });

  it("keeps halts of before users were noted by the names of their accounts", () => {
    const at = file();
    const { user: _, ...before } = HALT;
    writeFileSync(at, JSON.stringify([before, { ...before, account: null }]), { mode: 0o600 });
    expect(store(at).read()).toEqual([
      { ...HALT, user: "account:main" },
      { ...HALT, user: null, account: null },
    ]);
  });

  it.each([
    ["{}", 0o600, "must be a list of {user, account, since, by, reason}"],
    ["[", 0o600, "is not valid JSON"],
    ["[]", 0o666, "can be changed by other users"],
  ])("keeps the gateway from starting when it holds %s with mode %o", (content, mode, says) => {
    const at = file();
    writeFileSync(at, content);
    chmodSync(at, mode);
    expect(() => store(at).read()).toThrow(says);
  });
});
