import { ManualClock } from "@exchange-graph/contract/clock";
import { positionHistory } from "@exchange-graph/contract/positionHistory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_PERMISSIONS, type Credential } from "../../src/credentials.js";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { type CallOptions, credentialOf, send, signedCall } from "../support/signedCall.js";

const DEBTS = "/api/v2/earn/loan/debts";
const HISTORY = `${positionHistory.path}?category=USDT-FUTURES`;
const reader: Credential = {
  key: "test-reader-key",
  secret: "test-reader-secret",
  passphrase: "testreader1",
  uid: credentialOf("main").uid,
  permissions: ALL_PERMISSIONS.filter((permission) => permission.endsWith(":read")),
  isDemo: false,
};
const demo: Credential = { ...reader, key: "test-demo-key", permissions: ALL_PERMISSIONS, isDemo: true };

let sandbox: Sandbox;
beforeAll(async () => {
  const clock = new ManualClock(1_767_225_600_000);
  sandbox = await startSandbox({ clock, hasPast: false, credentials: [reader, demo], enforceLimits: false });
});
afterAll(() => sandbox.close());

const codeOf = async (credential: Credential, target: string, options: CallOptions = {}): Promise<string | undefined> =>
  (await signedCall(sandbox, credential, target, options)).code;
const main = credentialOf("main");

describe("the gate", () => {
  it("lets a well-signed call pass", async () => {
    expect(await codeOf(main, DEBTS)).toBe("00000");
  });

  it("answers HTTP 400 with a standard body to what it refuses", async () => {
    const reply = await send(sandbox.url, DEBTS);
    expect([reply.status, reply.code, reply.msg, reply.data]).toEqual([400, "40006", "Invalid ACCESS_KEY", null]);
  });

  it.each([
    ["a missing key", "40006", { without: ["access-key"] }],
    ["an unknown key", "40037", { headers: { "access-key": "nobody" } }],
    ["a live key in the demo environment", "40099", { headers: { paptrading: "1" } }],
    ["a timestamp that is not a number", "40005", { timestamp: "yesterday" }],
    ["a missing timestamp", "40005", { without: ["access-timestamp"] }],
    ["a wrong passphrase", "40012", { headers: { "access-passphrase": "wrong" } }],
    ["a missing passphrase", "40011", { without: ["access-passphrase"] }],
    ["a missing signature", "40002", { without: ["access-sign"] }],
    ["a wrong signature", "40009", { headers: { "access-sign": "bm90IGEgc2lnbmF0dXJl" } }],
    ["a signature over another query", "40009", { signedTarget: `${DEBTS}?coin=BTC` }],
  ] satisfies [string, string, CallOptions][])("refuses %s with %s", async (_, code, options) => {
    expect(await codeOf(main, DEBTS, options)).toBe(code);
  });

  it("takes a timestamp up to 30 seconds off, in both directions, and no further", async () => {
    const now = sandbox.clock.now();
    for (const timestamp of [now - 30_000, now + 30_000]) {
      expect(await codeOf(main, DEBTS, { timestamp: String(timestamp) })).toBe("00000");
    }
    for (const timestamp of [now - 30_001, now + 30_001]) {
      expect(await codeOf(main, DEBTS, { timestamp: String(timestamp) })).toBe("40008");
    }
  });

  it("takes a demo key in the demo environment only", async () => {
    expect(await codeOf(demo, DEBTS)).toBe("40099");
    expect(await codeOf(demo, DEBTS, { headers: { paptrading: "1" } })).toBe("00000");
  });

  it("looks at the account mode before it looks at the signature", async () => {
    const unsigned = { headers: { "access-sign": "bm90IGEgc2lnbmF0dXJl" }, timestamp: "0" };
    expect(await codeOf(credentialOf("classic"), HISTORY, unsigned)).toBe("40084");
    expect(await codeOf(main, "/api/v2/mix/account/accounts?productType=USDT-FUTURES", unsigned)).toBe("40085");
  });

  it("looks at the timestamp before the passphrase, and at the passphrase before the signature", async () => {
    const wrong = { "access-passphrase": "wrong", "access-sign": "bm90IGEgc2lnbmF0dXJl" };
    expect(await codeOf(main, DEBTS, { timestamp: "0", headers: wrong })).toBe("40008");
    expect(await codeOf(main, DEBTS, { headers: wrong })).toBe("40012");
  });

  it("refuses a key without the permission, once the signature is right", async () => {
    expect(await codeOf(reader, DEBTS)).toBe("40014");
    expect(await codeOf(reader, DEBTS, { headers: { "access-sign": "bm90IGEgc2lnbmF0dXJl" } })).toBe("40009");
  });

  it("refuses broker calls of others, and a broker what is not for brokers", async () => {
    expect(await codeOf(credentialOf("classic"), "/api/v2/broker/account/info")).toBe("40029");
    const assets = "/api/v2/mix/account/sub-account-assets?productType=USDT-FUTURES";
    expect(await codeOf(credentialOf("broker"), assets)).toBe("40014");
  });
});

describe("the signature", () => {
  const filtered = `${DEBTS}?orderId=a%3Ab%23c%20d`;

  it("covers the query as it is sent, in any order", async () => {
    expect(await codeOf(main, `${DEBTS}?b=2&a=1`)).toBe("00000");
    expect(await codeOf(main, `${DEBTS}?b=2&a=1`, { signedTarget: `${DEBTS}?a=1&b=2` })).toBe("40009");
  });

  it("covers the query percent-encoded or readable", async () => {
    expect(await codeOf(main, filtered)).toBe("00000");
    expect(await codeOf(main, filtered, { signedTarget: `${DEBTS}?orderId=a:b#c d` })).toBe("00000");
  });

  it.each([
    ["decoded", "40009", "00000"],
    ["encoded", "00000", "40009"],
  ] as const)("covers only the %s query if the sandbox is configured so", async (form, asSent, readable) => {
    sandbox.gate.signedQuery = form;
    expect(await codeOf(main, filtered)).toBe(asSent);
    expect(await codeOf(main, filtered, { signedTarget: `${DEBTS}?orderId=a:b#c d` })).toBe(readable);
    expect(await codeOf(main, `${DEBTS}?b=2&a=1`)).toBe("00000");
    expect(await codeOf(main, DEBTS)).toBe("00000");
    sandbox.gate.signedQuery = "either";
  });

  it("keeps a plus sign a plus sign", async () => {
    expect(await codeOf(main, `${DEBTS}?orderId=a+b%20c`, { signedTarget: `${DEBTS}?orderId=a+b c` })).toBe("00000");
    expect(await codeOf(main, `${DEBTS}?orderId=a+b%20c`, { signedTarget: `${DEBTS}?orderId=a b c` })).toBe("40009");
  });

  it("covers empty parameters", async () => {
    expect(await codeOf(main, `${DEBTS}?coin=`)).toBe("00000");
  });
});
