import { ManualClock } from "@exchange-graph/contract/clock";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Transport, type WireAnswer } from "../../../src/datasources/calls/client/transport.js";
import { acknowledgement } from "../../../src/datasources/writes/policies/replies.js";
import { passing } from "../../support/eventually.js";
import { accountIn, exchangeOver } from "../../support/exchangeOver.js";
import { sendFirst } from "./support/firstCall.js";

/** Every answer that an order may hear, and that the exchange carries the order out whatever is heard. */

const START = Date.UTC(2026, 0, 15);
const clock = new ManualClock(START);
const ORDER = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", qty: "0.001", price: "60000" } as const;

const answerOf = (body: string, status = 200): WireAnswer => ({ status, headers: {}, body: Buffer.from(body) });
const said = (code: unknown, data: unknown, msg = "as it says"): string =>
  JSON.stringify({ code, msg, requestTime: clock.now(), data });

/** What the exchange answers to the next order, and to which question it was asked how often. */
let next: (clientOid: string) => WireAnswer;
let lookUps = 0;
let sent = 0;
const send = vi.spyOn(Transport.prototype, "send").mockImplementation(async ({ target, body = "{}" }) => {
  if (target.startsWith("/api/v3/trade/place-order")) {
    sent++;
    return next(JSON.parse(body).clientOid);
  }
  if (target.startsWith("/api/v3/account/settings")) return answerOf(said("00000", { uid: "1", accountMode: "unified" }));
  if (!target.startsWith("/api/v3/trade/order-info")) return answerOf(said("00000", { serverTime: String(clock.now()) }));
  lookUps++;
  const clientOid = new URL(target, "http://exchange").searchParams.get("clientOid");
  const times = { createdTime: String(clock.now()), updatedTime: String(clock.now()) };
  const found = { ...ORDER, orderId: `of ${clientOid}`, clientOid, orderStatus: "new", feeDetail: [], ...times };
  return answerOf(said("00000", found));
});
const exchange = exchangeOver(new URL("http://127.0.0.1:9"), { clock });
beforeEach(() => {
  lookUps = 0;
  sent = 0;
});
afterAll(async () => {
  await exchange.close();
  send.mockRestore();
});

let orders = 0;
async function outcomeOf(answer: (clientOid: string) => WireAnswer) {
  next = answer;
  const clientOid = `cell-${orders++}`;
  const written = sendFirst(exchange, accountIn(exchange, "main"), clientOid);
  const { outcome, reply } = await passing(clock, 5, written);
  expect(sent).toBe(1);
  return { outcome, orderId: acknowledgement.parse(reply ?? { orderId: null, clientOid: null }).orderId, clientOid };
}

const STATUSES = [200, 201, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503, 504];
/** Refusals of the exchange's own, by a code of its table that says what it means. */
const REFUSING = { statuses: [200, 201, 400, 401, 403, 404], codes: ["25202", "40014", "40200"] };
const CODES = [...REFUSING.codes, "40010", "25000", "429", "40008", "25212", "99999", "43012", "00000"];
const ack = (clientOid: string) => ({ orderId: `of ${clientOid}`, clientOid });
const BODIES: readonly (readonly [string, (code: string, clientOid: string) => string])[] = [
  ["an envelope", (code, clientOid) => said(code, code === "00000" ? ack(clientOid) : null)],
  ["an envelope without data", (code) => said(code, null)],
  ["JSON without the exchange's time", (code) => JSON.stringify({ code, message: "as it says" })],
  ["half an envelope", (code, clientOid) => said(code, ack(clientOid)).slice(0, -9)],
  ["HTML that names the code", (code) => `<html><title>${code}</title></html>`],
  ["nothing", () => ""],
];
const isWhole = (body: string): boolean => body.startsWith("an envelope");
const CELLS = STATUSES.flatMap((status) =>
  CODES.flatMap((code) => BODIES.map(([body, written]) => ({ status, code, body, written }))),
);

describe(`an order that is executed, with any answer: ${CELLS.length} answers`, () => {
  it.each(STATUSES)("is refused only by the exchange's own word, and otherwise looked up: HTTP %i", async (status) => {
    const wrong: string[] = [];
    for (const { code, body, written } of CELLS.filter((cell) => cell.status === status)) {
      lookUps = 0;
      sent = 0;
      const { outcome, orderId, clientOid } = await outcomeOf((name) => answerOf(written(code, name), status));
      const isReadable = isWhole(body) || body.startsWith("JSON");
      const isRefusal =
        (isReadable && REFUSING.statuses.includes(status) && REFUSING.codes.includes(code)) ||
        (isWhole(body) && [...REFUSING.statuses, 429].includes(status) && code === "429");
      const isSuccess = [200, 201].includes(status) && body === "an envelope" && code === "00000";
      const expected = isRefusal ? "REJECTED" : "ACCEPTED";
      const asked = isRefusal || isSuccess ? 0 : 1;
      if (outcome !== expected || lookUps !== asked) wrong.push(`${code}, ${body}: ${outcome} after ${lookUps} look-ups`);
      if (outcome === "ACCEPTED" && orderId !== `of ${clientOid}`) wrong.push(`${code}, ${body}: ${orderId}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("an answer", () => {
  afterEach(() => expect(lookUps).toBe(1));

  it.each([
    ["names another order", () => ({ orderId: "somebody else's", clientOid: "theirs" })],
    ["names none", () => ({ orderId: "somebody else's" })],
    ["writes the name in another case", (clientOid: string) => ({ ...ack(clientOid), clientOid: clientOid.toUpperCase() })],
  ])("that %s is not trusted: the order is looked up", async (_, data) => {
    const { outcome, orderId, clientOid } = await outcomeOf((name) => answerOf(said("00000", data(name))));
    expect([outcome, orderId]).toEqual(["ACCEPTED", `of ${clientOid}`]);
  });
});
