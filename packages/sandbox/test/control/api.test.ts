import { request } from "node:http";
import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { ControlApi } from "../../src/control/api.js";
import { fileSandbox } from "../support/fileSandbox.js";
import { send } from "../support/signedCall.js";

const sandbox = await fileSandbox({ clock: new ManualClock(1_767_225_600_000), enforceLimits: true });

async function control(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const reply = await send(sandbox.url, `/sandbox/${path}`, { method, ...init });
  return { status: reply.status, json: JSON.parse(reply.text) };
}

describe("the control calls", () => {
  it("add, list and remove faults", async () => {
    const added = await control("POST", "faults", { fault: { kind: "empty-body" }, endpoint: "serverTime", times: 1 });
    expect(added).toEqual({ status: 200, json: { id: expect.any(Number) } });
    expect((await control("GET", "faults")).json).toMatchObject([{ endpoint: "serverTime", fault: { kind: "empty-body" } }]);
    expect((await send(sandbox.url, "/api/v2/public/time")).text).toBe("");
    expect((await control("GET", "faults")).json).toEqual([]);
    const { json } = await control("POST", "faults", { fault: { kind: "reset" } });
    const { id } = json as { readonly id: number };
    expect((await control("DELETE", `faults/${id}`)).json).toEqual({ removed: true });
    expect((await control("DELETE", "faults")).status).toBe(200);
  });

  it("say what is wrong with a rule", async () => {
    const { status, json } = await control("POST", "faults", { fault: { kind: "earthquake" } });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain("fault.kind");
  });

  it.each([
    ['{"endpoint": "nobody", "fault": {"kind": "reset"}}', 'there is no endpoint "nobody"'],
    ['{"channel": "tickers", "fault": {"kind": "skip"}}', 'there is no channel "tickers"'],
    ['{"socket": "/v4/ws/public", "fault": {"kind": "drop"}}', 'there is no socket "/v4/ws/public"'],
    ['{"channel": "books", "fault": {"kind": "reset"}}', '"reset" strikes no channel'],
    ['{"endpoint": "tickers", "fault": {"kind": "skip"}}', '"skip" strikes no endpoint'],
    ['{"socket": "/v3/ws/private", "fault": {"kind": "delay", "delayMs": 1}}', '"delay" strikes no socket'],
    ['{"socket": "/v3/ws/private", "channel": "order", "fault": {"kind": "drop"}}', '"drop" strikes no socket'],
  ])("refuse a rule that would strike nothing, or something else than it names: %s", async (rule, problem) => {
    const { status, json } = await control("POST", "faults", JSON.parse(rule));
    expect([status, (json as { readonly error: string }).error]).toEqual([400, expect.stringContaining(problem)]);
    expect((await control("GET", "faults")).json).toEqual([]);
  });

  it("choose which form of a query is signed", async () => {
    expect((await control("GET", "signing")).json).toEqual({ query: "either" });
    expect((await control("POST", "signing", { query: "decoded" })).json).toEqual({ query: "decoded" });
    expect(sandbox.gate.signedQuery).toBe("decoded");
    expect((await control("POST", "signing", { query: "both" })).status).toBe(400);
    expect((await control("POST", "signing", { query: "either" })).status).toBe(200);
  });

  it("go on when there are as many rules as there may be", async () => {
    while (!sandbox.faults.isFull) sandbox.faults.add({ endpoint: "serverTime", fault: { kind: "latency", delayMs: 1 } });
    const { status, json } = await control("POST", "faults", { fault: { kind: "reset" } });
    expect([status, json]).toEqual([400, { error: "there are as many fault rules as there may be" }]);
    await control("DELETE", "faults");
    expect((await control("POST", "faults", { fault: { kind: "reset" }, times: 1 })).status).toBe(200);
    await control("DELETE", "faults");
  });

  it("set the clock wrong and right again", async () => {
    expect((await control("POST", "clock", { skewMs: 5_000 })).json).toEqual({ now: 1_767_225_605_000, skewMs: 5_000 });
    expect((await control("POST", "clock", { skewMs: 0 })).json).toEqual({ now: 1_767_225_600_000, skewMs: 0 });
  });

  it("read how often each endpoint was called", async () => {
    await control("DELETE", "calls");
    await send(sandbox.url, "/api/v2/spot/market/fund-flow");
    await send(sandbox.url, "/api/v2/spot/market/fund-flow");
    expect((await control("GET", "calls")).json).toMatchObject({
      violations: 1,
      endpoints: { spotFundFlow: { total: 2, succeeded: 1, refused: 1, limited: 1 } },
    });
  });

  it("read the books, which add up", async () => {
    const { json } = await control("GET", "ledger");
    const books = json as {
      readonly digest: string;
      readonly totals: Readonly<Record<string, string>>;
      readonly wallets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    expect(books.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(books.totals)).toEqual(expect.arrayContaining(["BTC", "ETH", "USDT"]));
    expect(books.wallets["8800112233/collateral"]?.BTC).toMatchObject({ locked: expect.stringMatching(/^\d/) });
  });

  it("answer an unknown one with 404", async () => {
    expect((await control("GET", "weather")).status).toBe(404);
  });

  it("take a body only when it is declared as JSON, which no web page of another origin can do unasked", async () => {
    const reply = await send(sandbox.url, "/sandbox/faults", { method: "POST", body: '{"fault":{"kind":"reset"}}' });
    expect(reply.status).toBe(400);
  });

  it("do not exist for other machines", () => {
    const served = (address: string): boolean =>
      ControlApi.prototype.serves({
        method: "GET",
        target: "/sandbox/ledger",
        path: "/sandbox/ledger",
        query: "",
        body: "",
        address,
        header: () => undefined,
      });
    expect(["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.8.9.10"].map(served)).toEqual([true, true, true, true]);
    expect(["10.0.0.1", "::ffff:10.0.0.1", "1.127.0.0.1", ""].map(served)).toEqual([false, false, false, false]);
  });
});

describe("the server", () => {
  it("refuses a body that is too long", async () => {
    const reply = await send(sandbox.url, "/api/v2/convert/trade", { method: "POST", body: "x".repeat(65_537) });
    expect([reply.status, reply.code]).toEqual([400, "40017"]);
  });

  it("survives a caller who goes away in the middle of a request", async () => {
    await new Promise<void>((done) => {
      const half = request(`${sandbox.url}/api/v2/convert/trade`, { method: "POST", headers: { "content-length": "100" } });
      half.on("error", () => done());
      half.write("{", () => half.destroy(new Error("gone")));
    });
    expect((await send(sandbox.url, "/api/v2/public/time")).code).toBe("00000");
  });
});
