import { subAccountWithdrawals } from "@exchange-graph/contract/broker";
import { convertRecords } from "@exchange-graph/contract/convert";
import { orderInfo } from "@exchange-graph/contract/orderReads";
import { savingsProducts, savingsRecords } from "@exchange-graph/contract/savings";
import { describe, expect, it } from "vitest";
import type { JournalEntry, WriteState } from "../../../../src/datasources/writes/journal/journalEntry.js";
import {
  convertTradePolicy,
  savingsRedeemPolicy,
  subAccountWithdrawalPolicy,
} from "../../../../src/datasources/writes/policies/funds.js";
import { cancelOrderPolicy, modifyOrderPolicy, placeOrderPolicy } from "../../../../src/datasources/writes/policies/orders.js";
import type { LookUp, WritePolicy } from "../../../../src/datasources/writes/policies/policy.js";

/** Changes by another client at the same time, and what the policies conclude from them. */

const SENT = Date.UTC(2026, 0, 5, 12, 0, 0, 400);

/** An entry of the journal, sent so many milliseconds after the one that was lost. */
const entry = (seq: number, values: object, more: Partial<JournalEntry> = {}, laterMs = 0): JournalEntry => ({
  ...{
    seq,
    user: "1",
    account: "main",
    who: null,
    mutation: "any",
    endpoint: "any",
    key: `${seq}`,
    digest: "",
    problem: null,
    settledAt: null,
    traceparent: null,
  },
  ...{ sentAt: SENT + laterMs, validUntil: SENT + laterMs + 35_000, state: "UNKNOWN" as WriteState, reply: null },
  values: { ...values },
  clientOid: "clientOid" in values && typeof values.clientOid === "string" ? values.clientOid : null,
  ...more,
});
const accepted = (reply: unknown) => ({ state: "ACCEPTED" as WriteState, reply });

/** An exchange whose reads give these. */
const showing = (answers: Readonly<Record<string, unknown>>): LookUp => ({
  read: async (endpoint) => answers[endpoint.name] as never,
});

const look = (
  { proof }: WritePolicy,
  answers: Readonly<Record<string, unknown>>,
  values: object,
  others: readonly JournalEntry[] = [],
  refusedAt?: number,
) => {
  const own = entry(10, values);
  return proof?.look(showing(answers), {
    ...{ values: own.values as never, entry: own, refusedAt, others: async () => others, since: async () => [] },
  });
};

describe("a lost conversion", () => {
  const TRADE = { fromCoin: "USDT", fromCoinSize: "100", toCoin: "BTC", toCoinSize: "0.0015" };
  const OTHER = { ...TRADE, fromCoinSize: "200", toCoinSize: "0.003" };
  const record = ({ fromCoin, fromCoinSize, toCoin, toCoinSize }: typeof TRADE, createdTime = SENT + 50) => ({
    ...{ id: "1", fromCoin, fromAmount: fromCoinSize, toCoin, toAmount: toCoinSize, price: "1", createdTime },
  });
  const reply = ({ toCoin, toCoinSize }: typeof TRADE, createdTime = SENT + 50) =>
    accepted({ toCoin, toAmount: toCoinSize, price: "1", createdTime });
  const asked = (list: readonly object[], others: readonly JournalEntry[] = []) =>
    look(convertTradePolicy, { [convertRecords.name]: { list } }, TRADE, others);

  it("is found beside another one of the same millisecond", async () => {
    const others = [entry(9, OTHER, reply(OTHER))];
    expect(await asked([record(TRADE), record(OTHER)], others)).toMatchObject({ accepted: { toAmount: "0.0015" } });
  });

  it("does not take the record of an equal one that was accepted, in milliseconds or in whole seconds", async () => {
    const twin = entry(9, TRADE, reply(TRADE));
    expect(await asked([record(TRADE)], [twin])).toBe("no trace");
    expect(await asked([record(TRADE, SENT - 400)], [twin])).toBe("no trace");
    expect(await asked([record(TRADE), record(TRADE)], [twin])).toMatchObject({ accepted: { toCoin: "BTC" } });
    expect(await asked([record(TRADE, SENT - 400), record(TRADE, SENT - 400)], [twin])).toMatchObject({ accepted: {} });
  });

  it("claims nothing while an equal one is lost as well, unless there is a record for each", async () => {
    const twin = entry(9, TRADE);
    expect(await asked([record(TRADE)], [twin])).toBe("undecidable");
    expect(await asked([record(TRADE), record(TRADE)], [twin])).toMatchObject({ accepted: { toCoin: "BTC" } });
  });

  it("claims nothing that may be older than itself, or that gave another amount", async () => {
    expect(await asked([record(TRADE, SENT - 20_000)])).toBe("undecidable");
    expect(await asked([record({ ...TRADE, toCoinSize: "0.0016" })])).toBe("undecidable");
    expect(await asked([record({ ...TRADE, toCoinSize: "0.0016" })], [entry(9, { ...TRADE, toCoinSize: "0.0016" })])).toBe(
      "no trace",
    );
  });

  it("is not called without effect by a list that goes on", async () => {
    expect(await asked(Array.from({ length: 100 }, () => record(OTHER)))).toBe("undecidable");
  });
});

describe("a lost withdrawal", () => {
  const ASKED = { subUid: "7", coin: "USDT", dest: "on_chain", chain: "TRC20", address: "T1", amount: "10", tag: "desk-a" };
  const record = { userId: "7", coin: "USDT", dest: "on_chain", toAddress: "T1", amount: "10", createdTime: SENT + 50 };
  const asked = (list: readonly object[], others: readonly JournalEntry[] = []) =>
    look(subAccountWithdrawalPolicy, { [subAccountWithdrawals.name]: { list } }, { ...ASKED, clientOid: "mine" }, others);

  it("does not take one to another memo of the same address for its own", async () => {
    expect(await asked([{ ...record, orderId: "1", tag: "desk-b" }])).toBe("no trace");
    expect(await asked([{ ...record, orderId: "1", tag: "desk-a" }])).toMatchObject({ accepted: { orderId: "1" } });
    expect(await asked([{ ...record, orderId: "1", tag: null }])).toMatchObject({ accepted: { orderId: "1" } });
  });

  it("claims nothing while an equal one is lost as well", async () => {
    expect(await asked([{ ...record, orderId: "1", tag: "desk-a" }], [entry(11, ASKED)])).toBe("undecidable");
  });
});

describe("a lost redemption", () => {
  const ASKED = { productId: "p1", periodType: "flexible", amount: "5" };
  const products = [
    { productId: "p1", coin: "USDT" },
    { productId: "p2", coin: "BTC" },
  ];
  const record = { orderId: "1", productCoin: "USDT", periodType: "flexible", amount: "5", createdTime: SENT - 400 };
  const asked = (list: readonly object[], others: readonly JournalEntry[] = [], refusedAt?: number) =>
    look(savingsRedeemPolicy, { [savingsProducts.name]: products, [savingsRecords.name]: { list } }, ASKED, others, refusedAt);

  it("is found by a record whose time is in whole seconds", async () => {
    expect(await asked([record])).toMatchObject({ accepted: { orderId: "1" } });
  });

  it("claims nothing while an equal one is lost as well; one of another coin does not matter", async () => {
    expect(await asked([record], [entry(9, ASKED)])).toBe("undecidable");
    expect(await asked([record], [entry(9, { ...ASKED, productId: "p2" })])).toMatchObject({ accepted: { orderId: "1" } });
  });

  it("that came too soon after another one was refused, and otherwise may be its own echo", async () => {
    const before = entry(9, { ...ASKED, amount: "3" }, accepted({ orderId: "0", status: null }), -20_000);
    expect(await asked([], [before], SENT + 100)).toBe("another's");
    const same = entry(9, ASKED, accepted({ orderId: "1", status: null }), -20_000);
    expect(await asked([record], [same], SENT + 100)).toBe("another's");
    expect(await asked([record], [], SENT + 100)).toMatchObject({ accepted: { orderId: "1" } });
  });
});

describe("a lost order", () => {
  const ASKED = { symbol: "BTCUSDT", side: "buy", orderType: "limit", qty: "0.001", price: "60000", clientOid: "mine" };
  const order = { ...ASKED, orderId: "1", qty: "0.0010", status: "new", cancelReason: null, createdTime: SENT + 50 };
  const asked = (found: object | null, others: readonly JournalEntry[] = [], refusedAt?: number) =>
    look(placeOrderPolicy, { [orderInfo.name]: found }, ASKED, others, refusedAt);

  it("is found by its request, also with a time in whole seconds", async () => {
    const finding = { accepted: { orderId: "1", clientOid: "mine" } };
    expect(await asked(order)).toEqual(finding);
    expect(await asked({ ...order, createdTime: SENT - 400 - 1_000 })).toEqual(finding);
  });

  it.each([
    ["symbol", "ETHUSDT"],
    ["side", "sell"],
    ["orderType", "market"],
    ["qty", "0.002"],
    ["price", "61000"],
  ])("is not confused with one of the same name and another %s", async (field, value) => {
    expect(await asked({ ...order, [field]: value })).toBe("undecidable");
    expect(await asked({ ...order, [field]: value }, [], SENT + 100)).toBe("another's");
  });

  it("is not confused with another order: the look-up is repeated", async () => {
    await expect(asked({ ...order, clientOid: "theirs" })).rejects.toThrow("about another order");
    await expect(asked({ ...order, clientOid: null })).rejects.toThrow("about another order");
  });

  it("may have been signed by a clock that was ahead, so a slightly older order is undecidable", async () => {
    expect(await asked({ ...order, createdTime: SENT - 20_000 })).toBe("undecidable");
    expect(await asked({ ...order, createdTime: SENT - 40_000 })).toBe("another's");
    expect(await asked({ ...order, createdTime: SENT + 40_000 })).toBe("another's");
  });
});

describe("a lost cancel or change of an order that is named by its clientOid", () => {
  const order = { orderId: "2", clientOid: "mine", price: "1", qty: "1", takeProfit: null, stopLoss: null };
  const found = (more: object) => ({ [orderInfo.name]: { ...order, cancelReason: null, ...more } });

  it("is not proven by an order that took the name afterwards", async () => {
    const later = found({ status: "cancelled", createdTime: SENT + 5_000 });
    expect(await look(cancelOrderPolicy, later, { clientOid: "mine" })).toBe("undecidable");
    expect(await look(cancelOrderPolicy, later, { orderId: "2" })).toMatchObject({ accepted: { orderId: "2" } });
    expect(await look(modifyOrderPolicy, later, { clientOid: "mine", price: "1" })).toBe("undecidable");
  });

  it("is not proven by a replaced order", async () => {
    const replaced = found({ status: "cancelled", cancelReason: "modify_limit_order", createdTime: SENT - 5_000 });
    expect(await look(modifyOrderPolicy, replaced, { orderId: "2", price: "9" })).toBe("undecidable");
  });
});
