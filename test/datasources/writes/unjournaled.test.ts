import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isUnjournaled } from "../../../src/datasources/writes/journaling.js";
import { type CancelOrderInput, cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { ordersNamed, place, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const LONG = { category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market", qty: "0.02" } as const;
const CLOSE = { ...LONG, side: "sell", qty: "0.01", reduceOnly: true, clientOid: "close" } as const;

let live: LiveExchange;
const start = async (cancelWithoutJournal?: boolean) => {
  live = await startLiveExchange(cancelWithoutJournal === undefined ? {} : { cancelWithoutJournal });
  await live.during(place(live, resting("open")));
  await live.during(place(live, { ...LONG, clientOid: "position" }));
};
afterEach(() => live.close());

/** Runs something while the journal can neither be written nor read. */
async function whileBroken<T>(run: () => Promise<T>): Promise<T> {
  const { journal } = live.exchange.writes;
  const broken = [
    vi.spyOn(journal, "record").mockRejectedValue(new Error("database or disk is full")),
    vi.spyOn(journal, "find").mockImplementation(() => {
      throw new Error("disk I/O error");
    }),
  ];
  try {
    return await run();
  } finally {
    for (const spy of broken) spy.mockRestore();
  }
}

const cancel = (more: Partial<CancelOrderInput> = {}) =>
  live.during(cancelOrder(live.writes(), live.account("main"), { category: "SPOT", clientOid: "open", ...more }));

describe("a journal that cannot be written", () => {
  beforeEach(() => start());

  it("holds no cancel and no close up, and holds everything else up", async () => {
    const [cancelled, closed, opened] = await whileBroken(async () => [
      await cancel(),
      await live.during(place(live, CLOSE)),
      await live.during(place(live, resting("new")).catch((error: unknown) => error)),
    ]);
    const left = [cancelled, closed].map((result) => "outcome" in result && [result.outcome, result.entry?.seq]);
    expect(left).toEqual([
      ["ACCEPTED", -1],
      ["ACCEPTED", -2],
    ]);
    expect(opened).toBeInstanceOf(Error);
    expect(ordersNamed(live, "new")).toEqual([]);
    expect(ordersNamed(live, "open")[0]?.status).toBe("cancelled");
    expect(await live.exchange.writes.journal.find(UID.main, "close")).toBeUndefined();
  });

  it("a repeated key sends nothing, whether the journal can be written again or not", async () => {
    const first = await whileBroken(() => live.during(place(live, CLOSE)));
    expect(first.entry).toSatisfy(isUnjournaled);
    expect(await whileBroken(() => live.during(place(live, CLOSE)))).toEqual({ ...first, isReplay: true });
    expect(await live.during(place(live, CLOSE))).toEqual({ ...first, isReplay: true });
    const other = await live.during(place(live, { ...CLOSE, qty: "0.02" }));
    expect(other.problems.map(({ code }) => code)).toEqual(["IDEMPOTENCY_KEY_REUSED"]);
    expect(ordersNamed(live, "close")).toHaveLength(1);
  });

  it("a lost answer is looked up as ever", async () => {
    live.sandbox.faults.add({ endpoint: "cancelOrder", fault: { kind: "lost-reply" }, times: 1 });
    const cancelled = await whileBroken(() => cancel({ idempotencyKey: "once" }));
    expect([cancelled.outcome, cancelled.entry?.seq]).toEqual(["ACCEPTED", -1]);
  });
});

describe("CANCEL_WITHOUT_JOURNAL=0", () => {
  it("sends nothing that is not in the journal", async () => {
    await start(false);
    await expect(whileBroken(() => cancel())).rejects.toThrow();
    expect(ordersNamed(live, "open")[0]?.status).not.toBe("cancelled");
  });
});
