import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { subAccountWithdrawal } from "@exchange-graph/contract/broker";
import { ManualClock, systemClock } from "@exchange-graph/contract/clock";
import { loanDebts, loanHistory } from "@exchange-graph/contract/loan";
import { discountRates, serverTime } from "@exchange-graph/contract/market";
import { orderInfo } from "@exchange-graph/contract/orderReads";
import { signature } from "@exchange-graph/contract/signing";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../../src/datasources/errors/fault.js";
import { accountNamed, exchangeOver } from "../../../support/exchangeOver.js";
import { gate } from "../../../support/gate.js";
import { type ReceivedCall, type Scripted, scriptedExchange } from "../../../support/scriptedExchange.js";
import { startedForEach } from "../../../support/started.js";

const DEBTS = "/api/v2/earn/loan/debts";
const account = accountNamed("main");
const soon = () => systemClock.now() + 2_000;

/** What a call's signature covers: its target, with the query decoded or as it was sent. */
function signedTarget(call: ReceivedCall | undefined): string | undefined {
  const timestamp = String(call?.headers["access-timestamp"]);
  const { target = "" } = call ?? {};
  return [decodeURIComponent(target), target].find(
    (one) => signature("main-secret", { timestamp, method: "GET", target: one }) === call?.headers["access-sign"],
  );
}
const signedForm = (call: ReceivedCall): string => (signedTarget(call) === call.target ? "encoded" : "decoded");

describe("the signed client", () => {
  const upstream = startedForEach(scriptedExchange);
  const exchange = startedForEach(async () => exchangeOver(upstream.url));
  const debts = () => exchange.client.call(loanDebts, {}, account, soon());
  const fault = async (call: Promise<unknown>): Promise<Fault> => {
    const error = await call.then(
      () => new Error("it did not fail"),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof Fault)) throw error;
    return error;
  };

  it("sends a query percent-encoded, and signs it decoded", async () => {
    upstream.on("/api/v2/earn/loan/borrow-history", { data: [] });
    await exchange.client.call(loanHistory, { orderId: "龙:虾#c d", startTime: 1, endTime: 2 }, account, soon());
    const [call] = upstream.calls;
    const path = "/api/v2/earn/loan/borrow-history";
    expect(call?.target).toBe(`${path}?orderId=%E9%BE%99%3A%E8%99%BE%23c%20d&startTime=1&endTime=2`);
    expect(signedTarget(call)).toBe(`${path}?orderId=龙:虾#c d&startTime=1&endTime=2`);
    expect(call?.headers["access-key"]).toBe("main-key");
    expect(call?.headers["access-passphrase"]).toBe("mainpass1");
  });

  describe("whose signature is refused", () => {
    const HISTORY = "/api/v2/earn/loan/borrow-history";
    const history = (orderId: string, by = exchange) =>
      by.client.call(loanHistory, { orderId, startTime: 1, endTime: 2 }, account, soon());
    const taking = (form: "decoded" | "encoded") =>
      upstream.on(HISTORY, (call) =>
        signedForm(call) === form ? { data: [] } : { code: "40009", msg: "sign signature error", status: 400 },
      );
    const forms = () => upstream.callsOf(HISTORY).map(signedForm);

    it("signs the other form of a read's query, once, and stores the accepted one", async () => {
      taking("encoded");
      await history("a:b");
      await history("a:c");
      expect(forms()).toEqual(["decoded", "encoded", "encoded"]);
      taking("decoded");
      await history("a:d");
      await history("a:e");
      expect(forms().slice(3)).toEqual(["encoded", "decoded", "decoded"]);
    });

    it("remembers it for this exchange alone", async () => {
      const other = exchangeOver(upstream.url);
      taking("encoded");
      await history("a:b");
      await history("a:b", other);
      expect(forms()).toEqual(["decoded", "encoded", "decoded", "encoded"]);
      await other.close();
    });

    it("is refused with the exchange's message when neither form is accepted, and stores nothing", async () => {
      upstream.on(HISTORY, { code: "40009", msg: "sign signature error" });
      expect((await fault(history("a:b"))).extensions).toMatchObject({ code: "EXCHANGE_REJECTED", exchange: { code: "40009" } });
      expect(forms()).toEqual(["decoded", "encoded"]);
      await fault(history("a:b"));
      expect(forms()).toEqual(["decoded", "encoded", "decoded", "encoded"]);
    });

    it("is not repeated where both forms are the same, and never when it writes", async () => {
      const WITHDRAWAL = "/api/v2/broker/account/subaccount-withdrawal";
      upstream.on(HISTORY, { code: "40009", msg: "sign signature error" });
      upstream.on(WITHDRAWAL, { code: "40009", msg: "sign signature error" });
      await fault(history("ab"));
      expect(upstream.callsOf(HISTORY)).toHaveLength(1);
      const input = { subUid: "1", coin: "USDT", dest: "internal_transfer", address: "4:2/龙", amount: "10.5" } as const;
      await fault(exchange.client.call(subAccountWithdrawal, input, account, soon()));
      expect(upstream.callsOf(WITHDRAWAL)).toHaveLength(1);
    });
  });

  it("signs the body of a write as it is sent", async () => {
    upstream.on("/api/v2/broker/account/subaccount-withdrawal", { data: { orderId: "1", clientOid: "c" } });
    const input = { subUid: "1", coin: "USDT", dest: "internal_transfer", address: "42", amount: "10.5" } as const;
    await exchange.client.call(subAccountWithdrawal, input, account, soon());
    const [call] = upstream.calls;
    const timestamp = String(call?.headers["access-timestamp"]);
    expect(JSON.parse(call?.body ?? "")).toEqual(input);
    expect(call?.headers["access-sign"]).toBe(
      signature("main-secret", { timestamp, method: "POST", target: call?.target ?? "", body: call?.body ?? "" }),
    );
  });

  it("sends no key to a public endpoint", async () => {
    upstream.on("/api/v2/mix/market/discount-rate", { data: [] });
    await exchange.client.call(discountRates, {}, account, soon());
    expect(Object.keys(upstream.calls[0]?.headers ?? {}).filter((name) => name.startsWith("access-"))).toEqual([]);
  });

  it("takes its clock from the exchange", async () => {
    upstream.on("/api/v2/public/time", () => ({ data: { serverTime: "1" }, requestTime: Date.now() + 3_600_000 }));
    await exchange.client.call(serverTime, {}, undefined, soon());
    expect(exchange.clock.offsetMs).toBeGreaterThan(3_590_000);
    upstream.on(DEBTS, () => ({ data: { loanInfos: null, pledgeInfos: "" } }));
    await debts();
    const signedFor = Number.parseInt(String(upstream.callsOf(DEBTS)[0]?.headers["access-timestamp"]), 10);
    expect(signedFor - Date.now()).toBeGreaterThan(3_590_000);
  });

  it("is not misled by one answer that is old", async () => {
    upstream.on(DEBTS, () => ({ data: { loanInfos: [], pledgeInfos: [] } }));
    await debts();
    upstream.on("/api/v2/public/time", () => ({ data: { serverTime: "1" }, requestTime: Date.now() - 3_600_000 }));
    await exchange.client.call(serverTime, {}, undefined, soon());
    await debts();
    const signedFor = Number.parseInt(String(upstream.callsOf(DEBTS)[1]?.headers["access-timestamp"]), 10);
    expect(Math.abs(signedFor - Date.now())).toBeLessThan(5_000);
  });

  it("signs again, once, when the exchange rejects the timestamp", async () => {
    const serverNow = () => Date.now() - 90_000;
    upstream.on(DEBTS, ({ headers }) => {
      const isClose = Math.abs(Number.parseInt(String(headers["access-timestamp"]), 10) - serverNow()) < 30_000;
      return isClose
        ? { data: { loanInfos: [], pledgeInfos: [] }, requestTime: serverNow() }
        : { code: "40008", msg: "Request timestamp expired", requestTime: serverNow() };
    });
    await expect(debts()).resolves.toMatchObject({ data: { loans: [] } });
    expect(upstream.calls).toHaveLength(2);
    upstream.on(DEBTS, () => ({ code: "40008", msg: "Request timestamp expired" }));
    expect((await fault(debts())).extensions).toMatchObject({ code: "EXCHANGE_REJECTED", exchange: { code: "40008" } });
    expect(upstream.calls).toHaveLength(4);
  });

  it("takes the exchange's time over once it answers that an order does not exist: it has accepted the signature", async () => {
    let serverNow = Date.now;
    upstream.on("/api/v3/trade/order-info", ({ headers }) => {
      const requestTime = serverNow();
      const isClose = Math.abs(Number.parseInt(String(headers["access-timestamp"]), 10) - requestTime) < 30_000;
      const [code, msg] = isClose ? ["25204", "Order does not exist"] : ["40008", "Request timestamp expired"];
      return { code, msg, status: 400, requestTime };
    });
    const lookUp = () => fault(exchange.client.call(orderInfo, { orderId: "1" }, account, soon()));
    for (let n = 0; n < 3; n++) await lookUp();
    serverNow = () => Date.now() - 90_000;
    await lookUp();
    expect(upstream.calls).toHaveLength(5);
    await lookUp();
    expect(upstream.calls).toHaveLength(6);
  });

  it.each([
    ["40014", 400, "FORBIDDEN"],
    ["40085", 400, "ACCOUNT_MODE_MISMATCH"],
    ["43012", 400, "INSUFFICIENT_BALANCE"],
    ["43001", 400, "ORDER_NOT_FOUND"],
    ["429", 429, "RATE_LIMITED"],
    ["40725", 500, "EXCHANGE_UNAVAILABLE"],
    ["40200", 503, "EXCHANGE_UNAVAILABLE"],
    ["40009", 400, "EXCHANGE_REJECTED"],
    ["99999", 200, "EXCHANGE_REJECTED"],
  ])("reads the exchange's %s (HTTP %i) as %s, with the exchange's own words", async (code, status, expected) => {
    upstream.on(DEBTS, { code, msg: "its own words", status });
    expect((await fault(debts())).extensions).toMatchObject({
      code: expected,
      exchange: { code, msg: "its own words", endpoint: DEBTS },
    });
  });

  it.each([
    ["40115", 400, true],
    ["40200", 503, true],
    ["40084", 400, false],
    ["43012", 400, false],
  ])("says of the exchange's %s whether the same call may do better later", async (code, status, retryable) => {
    upstream.on(DEBTS, { code, msg: "its own words", status });
    expect((await fault(debts())).extensions.retryable).toBe(retryable);
  });

  it.each([
    ["an empty body", "", 200, "EXCHANGE_BAD_RESPONSE"],
    ["a body cut in the middle", '{"code":"00000","data":{"loanIn', 200, "EXCHANGE_BAD_RESPONSE"],
    ["a page of HTML", "<html>", 200, "EXCHANGE_BAD_RESPONSE"],
    ["a gateway's 502", "<html>", 502, "EXCHANGE_UNAVAILABLE"],
    ["a bare 429", "slow down", 429, "RATE_LIMITED"],
  ])("reads %s without an envelope by its status", async (_, raw, status, expected) => {
    upstream.on(DEBTS, { raw, status });
    expect((await fault(debts())).code).toBe(expected);
  });

  const owed = JSON.stringify({
    code: "00000",
    msg: "",
    requestTime: 1_767_225_600_000,
    data: { loanInfos: [], pledgeInfos: [] },
  });

  it.each([
    ["gzip", gzipSync(owed)],
    ["deflate", deflateSync(owed)],
    ["br", brotliCompressSync(owed)],
    ["GZIP", gzipSync(`\uFEFF${owed}`)],
    ["identity", `\uFEFF${owed}`],
  ])("reads an answer that is compressed (%s) without a request for it, or has a byte order mark", async (coding, raw) => {
    upstream.on(DEBTS, { raw, headers: { "content-encoding": coding } });
    const { data, body, decode } = await debts();
    expect(data).toEqual({ loans: [], pledges: [] });
    expect(decode(body.toString()).value).toEqual(data);
  });

  it("reads a number that begins with its point", async () => {
    upstream.on(DEBTS, { raw: owed.replace("[]", '[{"coin":"BTC","amount":.5,"amountUsdt":"1"}]') });
    expect((await debts()).data.loans).toMatchObject([{ amount: "0.5" }]);
  });

  const NOTHING = Buffer.alloc(0);
  const BOMB = gzipSync(Buffer.alloc(17 * 2 ** 20));
  it.each([
    [
      "a redirect",
      { raw: "", status: 302, headers: { location: "/login" } },
      false,
      "the answer is a redirect, which is not followed (HTTP 302)",
    ],
    [
      "a firewall's page",
      { raw: "<html>", status: 403 },
      false,
      "refused by something on the way to the exchange, such as a firewall (HTTP 403)",
    ],
    ["a timeout of something on the way", { raw: "", status: 408 }, true, "refused by something on the way"],
    [
      "an unknown compression",
      { raw: "x", headers: { "content-encoding": "zstd" } },
      false,
      'compressed in a way that cannot be read, "zstd" (HTTP 200)',
    ],
    ["two compressions", { raw: "x", headers: { "content-encoding": "gzip, br" } }, false, 'cannot be read, "gzip, br"'],
    [
      "a compressed answer that is cut off",
      { raw: gzipSync(owed).subarray(0, 40), headers: { "content-encoding": "gzip" } },
      true,
      "the answer is empty or not JSON",
    ],
    ["nothing, compressed", { raw: NOTHING, headers: { "content-encoding": "gzip" } }, true, "the answer is empty or not JSON"],
    [
      "an answer that grows past every bound",
      { raw: BOMB, headers: { "content-encoding": "gzip" } },
      true,
      "the answer is empty or not JSON",
    ],
    ["a list in the place of a record", { data: [] }, false, "data: expected an object"],
  ] satisfies [string, Scripted, boolean, string][])(
    "says what is wrong with %s, and whether it may pass",
    async (_, scripted, retryable, problem) => {
      upstream.on(DEBTS, scripted);
      const error = await fault(debts());
      expect(error.extensions).toMatchObject({ code: "EXCHANGE_BAD_RESPONSE", retryable });
      expect(error.message).toContain(problem);
    },
  );

  it("names the place where an answer breaks the interface, and never the value", async () => {
    const loanInfos = [
      { coin: "BTC", amount: "private text", amountUsdt: "1" },
      { coin: ["private text"], amount: "1" },
    ];
    upstream.on(DEBTS, { data: { loanInfos, pledgeInfos: [] } });
    const { data, unread } = await debts();
    expect(data).toEqual({ loans: [{ coin: "BTC", amount: null, amountUsdt: "1" }, unread[1]], pledges: [] });
    const extensions = { code: "EXCHANGE_BAD_RESPONSE", retryable: false, endpoint: "loanDebts" };
    expect(unread).toMatchObject([
      { message: "loan debts: data.loanInfos[0].amount: expected a decimal number", extensions, isOfField: true },
      { message: "loan debts: data.loanInfos[1].coin: expected text", extensions, isOfField: false },
    ]);
    upstream.on(DEBTS, { data: "private text" });
    expect((await fault(debts())).message).toBe("loan debts: data: expected an object");
  });

  it("gives up at its deadline, and says that the call may have arrived", async () => {
    upstream.on(DEBTS, "silence");
    const error = await fault(exchange.client.call(loanDebts, {}, account, systemClock.now() + 500));
    expect(error.code).toBe("EXCHANGE_TIMEOUT");
    expect(error.cause).toMatchObject({ kind: "timeout", unreached: false });
  });

  it("says that a call never left when its deadline came before a connection was free, and drops it", async () => {
    const clock = new ManualClock(systemClock.now());
    const narrow = exchangeOver(upstream.url, { clock, connections: 1 });
    const call = () => narrow.client.call(loanDebts, {}, account, clock.now() + 1_000);
    const [arrived, answer] = [gate(), gate()];
    upstream.on(DEBTS, async () => {
      arrived.open();
      await answer.opened;
      return { data: { loanInfos: [], pledgeInfos: [] } };
    });
    const first = narrow.client.call(loanDebts, {}, account, clock.now() + 2_000);
    await arrived.opened;
    const waiting = fault(call());
    clock.advance(1_000);
    expect((await waiting).cause).toMatchObject({ kind: "timeout", unreached: true });
    answer.open();
    await first;
    await call();
    expect(upstream.calls).toHaveLength(2);
    await narrow.close();
  });

  it("distinguishes a broken connection from one that was never established", async () => {
    upstream.on(DEBTS, "reset");
    expect((await fault(debts())).cause).toMatchObject({ kind: "broken", unreached: false });
    const nowhere = exchangeOver(new URL("http://127.0.0.1:1"));
    expect((await fault(nowhere.client.call(loanDebts, {}, account, soon()))).cause).toMatchObject({
      unreached: true,
    });
    await nowhere.close();
  });

  it("shows no secret in any failure", async () => {
    upstream.on(DEBTS, "reset");
    const error = await fault(debts());
    const shown = JSON.stringify([error, error.cause, error.stack, { ...error }]);
    for (const secret of ["main-key", "main-secret", "mainpass1"]) expect(shown).not.toContain(secret);
  });
});
