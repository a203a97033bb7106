import type { FaultRule } from "@exchange-graph/sandbox/control/faults";
import { afterEach, describe, expect, it } from "vitest";
import { setLeverage } from "../../../src/datasources/writes/mutations/accountSettings.js";
import { modifyOrder } from "../../../src/datasources/writes/mutations/modifyOrder.js";
import { startedOnce } from "../../support/started.js";
import { place, resting } from "./support/limitOrder.js";
import { startLiveExchange, UID } from "./support/liveExchange.js";

const live = startedOnce(() => startLiveExchange());
afterEach(async () => {
  live.sandbox.faults.clear();
  await live.pass(2_000);
});

const lose = (endpoint: string, fault: FaultRule["fault"]) => live.sandbox.faults.add({ endpoint, fault, times: 1 });
const state = async (key: string) => (await live.exchange.writes.journal.find(UID.main, key))?.state;

const change = (clientOid: string, price: string, idempotencyKey: string) =>
  live.during(
    modifyOrder(live.writes(), live.account("main"), {
      ...{ category: "SPOT", symbol: "BTCUSDT", clientOid, price },
      idempotencyKey,
    }),
  );
const lever = (leverage: string, idempotencyKey: string, symbol = "BTCUSDT") =>
  live.during(setLeverage(live.writes(), live.account("main"), { category: "USDT-FUTURES", symbol, leverage, idempotencyKey }));

describe("a change whose answer was lost", () => {
  it.each([
    ["after its effect", { kind: "lost-reply" }],
    ["before it", { kind: "reset" }],
  ] as const)("is not called without effect when a later one has covered it: an order, %s", async (words, fault) => {
    const name = words.replaceAll(" ", "-");
    await live.during(place(live, resting(name)));
    lose("modifyOrder", fault);
    const silence = live.sandbox.faults.add({ endpoint: "orderInfo", fault: { kind: "reset" } });
    expect((await change(name, "59000", `${name}-1`)).outcome).toBe("UNKNOWN");
    expect((await change(name, "58000", `${name}-2`)).outcome).toBe("ACCEPTED");
    live.sandbox.faults.remove(silence);
    await live.pass(80_000);
    expect(await state(`${name}-1`)).toBe("UNKNOWN");
  });

  it("is not called without effect when a later one has covered it: a setting", async () => {
    lose("setLeverage", { kind: "lost-reply" });
    const silence = live.sandbox.faults.add({ endpoint: "accountSettings", fault: { kind: "reset" } });
    expect((await lever("7", "seven")).outcome).toBe("UNKNOWN");
    expect((await lever("9", "nine")).outcome).toBe("ACCEPTED");
    live.sandbox.faults.remove(silence);
    await live.pass(80_000);
    expect(await state("seven")).toBe("UNKNOWN");
  });

  it("was without effect when only other things have changed since, or before", async () => {
    expect((await lever("11", "before")).outcome).toBe("ACCEPTED");
    lose("setLeverage", { kind: "reset" });
    expect((await lever("12", "lost")).outcome).toBe("UNKNOWN");
    expect((await lever("13", "elsewhere", "ETHUSDT")).outcome).toBe("ACCEPTED");
    await live.pass(45_000);
    expect(await state("lost")).toBe("REJECTED");
  });
});
