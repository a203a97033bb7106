import { afterEach, describe, expect, it, vi } from "vitest";
import type { ExchangeAccount } from "../../../src/datasources/index.js";
import type { Reads } from "../../../src/datasources/reads/index.js";
import type { TradingLimits } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { setHoldMode, setMarginMode } from "../../../src/datasources/writes/mutations/accountSettings.js";
import { type PlaceOrderInput, placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { PositionModes } from "../../../src/datasources/writes/positionModes.js";
import { accountIn } from "../../support/exchangeOver.js";
import { type AccountName, type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

let live: LiveExchange;
afterEach(() => live.close());

/** Two names of each user. */
async function start(limits?: TradingLimits): Promise<void> {
  live = await startLiveExchange({
    ...(limits && { limits: { accounts: new Map([["*", limits]]), clients: new Map() } }),
  });
  const named = live.exchange.accounts.filter(({ name }) => name in UID);
  const again = named.map(({ name, credentials }): ExchangeAccount => ({ name: `${name}2`, credentials, isCopyTrader: false }));
  live.exchange.directory.replace([...named, ...again]);
}

const account = (name: string): ExchangeAccount => accountIn(live.exchange, name);
const XRP = { category: "USDT-FUTURES", symbol: "XRPUSDT", orderType: "market", qty: "100" } as const;
const place = (name: string, order: Partial<PlaceOrderInput> & Pick<PlaceOrderInput, "side">) =>
  live.during(placeOrder(live.writes(), account(name), { ...XRP, ...order }));
const halt = (name: string) =>
  live.exchange.writes.halts.halt({ account: account(name), since: live.clock.now(), by: null, reason: null });
/** Signed quantity in XRP futures, in either mode. */
const held = (name: AccountName) =>
  [...live.sandbox.world.state.positions.open(UID[name])].filter(({ symbol }) => symbol === "XRPUSDT").length;
const setMode = (name: AccountName, mode: "one_way_mode" | "hedge_mode") =>
  live.sandbox.world.state.accounts.of(UID[name]).setHoldMode(mode);

const CHANGES = {
  "through another name of the user": (name: AccountName, holdMode: "one_way_mode" | "hedge_mode") =>
    live.during(setHoldMode(live.writes(), account(name), { holdMode, category: name === "main" ? null : "USDT-FUTURES" })),
  "outside this gateway": async (name: AccountName, holdMode: "one_way_mode" | "hedge_mode") => setMode(name, holdMode),
};

describe.each(["main", "classic"] as const)("a halted user (%s) whose position mode has changed", (name) => {
  const other = `${name}2`;

  it.each(Object.entries(CHANGES))("%s, to hedge mode, opens nothing with a reduce-only order", async (_, change) => {
    await start();
    setMode(name, "one_way_mode");
    const open = { side: "buy", posSide: "long", reduceOnly: true } as const;
    await place(other, { ...open, dryRun: true });
    await change(name, "hedge_mode");
    await halt(name);
    expect((await place(other, open)).outcome).not.toBe("ACCEPTED");
    expect(held(name)).toBe(0);
  });

  it.each(Object.entries(CHANGES))("%s, to one-way mode, opens nothing with the close of a side", async (_, change) => {
    await start();
    setMode(name, "hedge_mode");
    const close = { side: "sell", posSide: "long" } as const;
    await place(other, { ...close, dryRun: true });
    await change(name, "one_way_mode");
    await halt(name);
    const { problems } = await place(other, close).catch((error: Error) => ({ problems: [error] }));
    expect(problems[0]?.message).toMatch(/halted|position mode|No position/);
    expect(held(name)).toBe(0);
  });

  it("still closes what it holds, in either mode", async () => {
    await start();
    for (const mode of ["one_way_mode", "hedge_mode"] as const) {
      setMode(name, mode);
      await live.pass(6_000);
      expect((await place(name, { side: "buy", posSide: "long" })).outcome).toBe("ACCEPTED");
      await halt(name);
      expect(held(name)).toBe(1);
      expect((await place(other, { side: "sell", posSide: "long", reduceOnly: true })).outcome).toBe("ACCEPTED");
      expect(held(name)).toBe(0);
      await live.exchange.writes.halts.resume(account(name));
    }
  });
});

it("an order right after another margin mode was set is placed in that one", async () => {
  await start();
  await place("classic", { side: "buy", dryRun: true });
  for (const marginMode of ["isolated", "crossed"] as const) {
    const set = { category: "USDT-FUTURES", symbol: "XRPUSDT", marginMode } as const;
    expect((await live.during(setMarginMode(live.writes(), account("classic"), set))).outcome).toBe("ACCEPTED");
    expect((await place("classic", { side: "buy" })).outcome).toBe("ACCEPTED");
    const [position] = [...live.sandbox.world.state.positions.open(UID.classic)].filter(({ symbol }) => symbol === "XRPUSDT");
    expect(position?.marginMode).toBe(marginMode);
    await place("classic", { side: "sell", reduceOnly: true });
  }
});

it("a mode that was asked for before it was set is not kept", async () => {
  await start();
  const modes = new PositionModes(live.clock, () => UID.classic);
  const market = {
    account: account("classic"),
    mode: "CLASSIC",
    marginCoin: "USDT",
    category: "USDT-FUTURES",
    symbol: "XRPUSDT",
  } as const;
  const answers: ((answer: object) => void)[] = [];
  const read = vi.fn(() => new Promise((resolve) => answers.push(resolve)));
  const asked = () => modes.of({ read } as unknown as Reads, market);
  const before = asked();
  modes.forget(UID.classic);
  answers[0]?.({ holdMode: "one_way_mode", marginMode: "crossed" });
  await before;
  const after = asked();
  answers[1]?.({ holdMode: "one_way_mode", marginMode: "isolated" });
  expect((await after).marginMode).toBe("isolated");
  expect((await asked()).marginMode).toBe("isolated");
  expect(read).toHaveBeenCalledTimes(2);
});

it("a limit is not passed by the close of a side whose position mode has changed, and the next order only reduces", async () => {
  await start({ order: { coins: new Map([["XRP", "1"]]) } });
  setMode("main", "hedge_mode");
  const close = { side: "sell", posSide: "long" } as const;
  await place("main2", { ...close, dryRun: true });
  setMode("main", "one_way_mode");
  await expect(place("main2", close)).rejects.toThrow("the position mode has changed; nothing was sent");
  expect((await place("main2", close)).problems[0]?.message).toContain("No position to close");
  expect(held("main")).toBe(0);
});

it("without halts and limits, closing costs no further call", async () => {
  await start();
  setMode("main", "hedge_mode");
  await place("main", { side: "buy", posSide: "long" });
  const before = live.sandbox.calls.of("accountSettings").total;
  expect((await place("main", { side: "sell", posSide: "long" })).outcome).toBe("ACCEPTED");
  expect(live.sandbox.calls.of("accountSettings").total).toBe(before);
});

it("an account that becomes another user's while the mode is confirmed sends nothing", async () => {
  await start();
  setMode("main", "hedge_mode");
  await live.during(Promise.all(["main", "broker"].map((name) => live.exchange.users.of(account(name)))));
  await halt("main");
  const [main, broker] = [account("main").credentials, account("broker").credentials];
  vi.spyOn(live.exchange.writes.positionModes, "isStillHedged").mockImplementationOnce(async () => {
    live.exchange.directory.replace([
      { name: "main", credentials: broker, isCopyTrader: false },
      { name: "broker", credentials: main, isCopyTrader: false },
    ]);
    return true;
  });
  const { problems } = await place("main", { side: "sell", posSide: "long" });
  expect(problems.map(({ code }) => code)).toEqual(["FORBIDDEN"]);
  expect(live.sandbox.calls.of("placeOrder").total).toBe(0);
});
