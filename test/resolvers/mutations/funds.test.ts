import { exact, plain } from "@exchange-graph/contract/decimal";
import type { FaultRule } from "@exchange-graph/sandbox/control/faults";
import { houseWallet, walletOf } from "@exchange-graph/sandbox/world/ledger";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedGraph } from "../support/sharedGraph.js";
import { type Input, mutate, sentBy, w } from "./support/mutate.js";

const live = sharedGraph();
beforeEach(() => {
  live.sandbox.faults.clear();
  live.nextMinute();
});

const MAIN = "8800112233";
const ledger = () => live.sandbox.world.state.ledger;

/** All faults of a response, before and after the effect. */
const FAULTS: readonly (readonly [string, FaultRule["fault"]])[] = [
  ["reset before the effect", { kind: "reset" }],
  ["reset after the effect", { kind: "lost-reply" }],
  ["a truncated answer", { kind: "truncated-body" }],
  ["an empty answer", { kind: "empty-body" }],
  ["HTTP 500 before the effect", { kind: "answer", status: 500 }],
  ["HTTP 500 after the effect", { kind: "answer", status: 500, when: "after" }],
  ["HTTP 429 before the effect", { kind: "answer", status: 429, code: "429" }],
  ["a proxy's HTTP 429 after the effect", { kind: "answer", status: 429, body: "<html>Too many requests</html>", when: "after" }],
  ["an answer that comes too late", { kind: "latency", delayMs: 7_000 }],
];

const takesEffect = (fault: FaultRule["fault"]): boolean =>
  fault.kind !== "reset" && !(fault.kind === "answer" && fault.when !== "after");

describe("convert", () => {
  const quote = async (): Promise<Readonly<Record<"toAmount" | "traceId", string>>> => {
    const fields = "traceId fromCoin fromAmount toCoin toAmount price";
    const asked = `convertQuote(fromCoin: "USDT", toCoin: "BTC", amount: { from: "100" })`;
    const { data } = await live.while(live.run(`{ account(name: "main") { ${asked} { ${fields} } } }`));
    return data.account.convertQuote;
  };
  const convert = (terms: Input) => mutate(live, "convert", { account: "main", ...terms }, "toCoin toAmount price createdTime");
  const bitcoin = () => ledger().held(walletOf(MAIN, "unified"), "BTC");

  it("converts exactly as quoted", async () => {
    const terms = await quote();
    const before = bitcoin();
    const payload = await convert(terms);
    expect(payload).toMatchObject({ outcome: "ACCEPTED", toCoin: "BTC", toAmount: terms.toAmount });
    expect(plain(bitcoin().minus(before))).toBe(plain(exact(terms.toAmount)));
  });

  it.each([
    ["toAmount", "1"],
    ["fromAmount", "99"],
    ["price", "0.5"],
    ["toCoin", "ETH"],
  ] as const)("refuses a quotation whose %s was altered, and sends nothing", async (field, value) => {
    const payload = await convert({ ...(await quote()), [field]: value });
    expect(payload).toMatchObject({
      outcome: "REJECTED",
      userErrors: [{ code: "BAD_USER_INPUT", field: [field] }],
      journalEntry: null,
    });
    expect(live.sandbox.calls.of("convertTrade").total).toBe(0);
  });

  it("refuses an expired quotation, and sends nothing", async () => {
    const terms = await quote();
    live.nextMinute();
    const payload = await convert(terms);
    expect(payload.userErrors).toMatchObject([{ code: "BAD_USER_INPUT", field: ["traceId"] }]);
    expect(live.sandbox.calls.of("convertTrade").total).toBe(0);
  });

  it("leaves a quotation for another direction to the exchange", async () => {
    const terms = { ...(await quote()), traceId: "777", toAmount: "1" };
    expect((await convert(terms)).userErrors).toMatchObject([{ code: "EXCHANGE_REJECTED", exchange: { code: "12021" } }]);
  });

  it("takes the quotation as its key: repeated, it converts once", async () => {
    const terms = await quote();
    const before = bitcoin();
    const [one, other] = [await convert(terms), await convert(terms)];
    expect(other).toEqual(one);
    expect(plain(bitcoin().minus(before))).toBe(plain(exact(terms.toAmount)));
    expect(live.sandbox.calls.of("convertTrade").total).toBe(1);
  });

  it.each(FAULTS)("is sent once with any fault: %s", async (_, fault) => {
    live.sandbox.faults.add({ endpoint: "convertTrade", fault, times: 1 });
    const terms = await quote();
    const before = bitcoin();
    const first = await convert(terms);
    for (let times = 0; times < 3; times++) await convert(terms);
    expect(live.sandbox.calls.of("convertTrade").total).toBe(1);
    for (let minutes = 0; minutes < 2; minutes++) await live.while(pause(30_000));
    const settled = await convert(terms);
    const hasConverted = bitcoin().gt(before);
    expect(hasConverted).toBe(takesEffect(fault));
    expect(settled.outcome).toBe(hasConverted ? "ACCEPTED" : "REJECTED");
    expect(["UNKNOWN", settled.outcome]).toContain(first.outcome);
  });
});

/** Waits on the exchange's clock. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    live.sandbox.clock.after(ms, resolve);
  });

describe("redeemSavings", () => {
  const redeem = (more: Input = {}) =>
    mutate(
      live,
      "redeemSavings",
      { account: "main", productId: "9001", periodType: w("FLEXIBLE"), amount: "1", ...more },
      "orderId status",
    );

  it("redeems, and leaves the check of the minute between redemptions to the exchange", async () => {
    expect(await redeem()).toMatchObject({ outcome: "ACCEPTED", orderId: expect.any(String) });
    expect(await redeem()).toMatchObject({
      outcome: "REJECTED",
      userErrors: [{ code: "RATE_LIMITED", isRetryable: true, exchange: { code: "59044" } }],
    });
    live.nextMinute();
    live.nextMinute();
    expect((await redeem()).outcome).toBe("ACCEPTED");
  });

  it("needs to know which holding of a fixed term it redeems", async () => {
    const { outcome, userErrors } = await redeem({ productId: "9102", periodType: w("FIXED") });
    expect([outcome, userErrors]).toMatchObject([
      "REJECTED",
      [{ code: "BAD_USER_INPUT", field: ["orderId"], message: "orderId must be given for a fixed term: the holding to redeem" }],
    ]);
  });

  it("says how it ended, in the payload and later by its identifier", async () => {
    live.nextMinute();
    live.nextMinute();
    const RESULT = "redemption { result resultRaw message }";
    const input = { account: "main", productId: "9001", periodType: w("FLEXIBLE"), amount: "1" };
    const { outcome, orderId, redemption } = await mutate(live, "redeemSavings", input, `orderId ${RESULT}`);
    expect([outcome, redemption]).toEqual(["ACCEPTED", { result: "SUCCESS", resultRaw: "success", message: null }]);
    const later = (id: string) =>
      live.run(
        `{ account(name: "main") { earn { savings { redemption(orderId: "${id}", periodType: FLEXIBLE) { result message } } } } }`,
      );
    const found = await later(orderId);
    expect([found.data.account.earn.savings.redemption, found.calls]).toEqual([
      { result: "SUCCESS", message: null },
      ["savingsRedeemResult"],
    ]);
    expect((await later("1")).data.account.earn.savings.redemption).toEqual({
      result: "FAIL",
      message: "The order does not exist",
    });
    const refused = await mutate(live, "redeemSavings", input, `orderId ${RESULT}`);
    expect([refused.outcome, refused.redemption]).toEqual(["REJECTED", null]);
  });

  const saved = () => ledger().held(walletOf(MAIN, "earn"), "USDT");

  it.each(FAULTS)("is sent once with any fault: %s", async (words, fault) => {
    live.sandbox.faults.add({ endpoint: "savingsRedeem", fault, times: 1 });
    const key = { idempotencyKey: `redeem ${words}` };
    const before = saved();
    const first = await redeem(key);
    await redeem(key);
    await live.while(pause(60_000));
    const settled = await redeem(key);
    expect(live.sandbox.calls.of("savingsRedeem").total).toBe(1);
    const hasRedeemed = saved().lt(before);
    expect(hasRedeemed).toBe(takesEffect(fault));
    expect(settled.outcome).toBe(hasRedeemed ? "ACCEPTED" : "REJECTED");
    expect(["UNKNOWN", settled.outcome]).toContain(first.outcome);
  });

  it("of fixed savings that is not found stays unknown, and so does one that may be another's", async () => {
    live.sandbox.faults.add({ endpoint: "savingsRedeem", fault: { kind: "reset" }, times: 2 });
    const fixed = { idempotencyKey: "fixed", productId: "9101", periodType: w("FIXED"), orderId: "1" };
    const flexible = { idempotencyKey: "flexible", amount: "3" };
    await redeem(fixed);
    await redeem(flexible);
    expect((await redeem({ amount: "2" })).outcome).toBe("ACCEPTED");
    await live.while(pause(60_000));
    expect([(await redeem(fixed)).outcome, (await redeem(flexible)).outcome]).toEqual(["UNKNOWN", "UNKNOWN"]);
  });
});

describe("withdrawFromSubAccount", () => {
  let subUid = "";
  beforeAll(async () => {
    const query = '{ account(name: "broker") { broker { subAccounts(first: 1) { nodes { subUid } } } } }';
    const { data } = await live.while(live.run(query));
    subUid = data.account.broker.subAccounts.nodes[0].subUid;
  });
  const withdraw = (more: Input = {}) =>
    mutate(
      live,
      "withdrawFromSubAccount",
      { account: "broker", subUid, coin: "USDT", dest: w("ON_CHAIN"), address: "TXyz12345678", amount: "2", ...more },
      "orderId clientOid",
    );
  const gone = () => ledger().held(houseWallet("chain"), "USDT");

  it("starts a withdrawal under a name of ours, or of the client's", async () => {
    const [ours, theirs] = [await withdraw(), await withdraw({ clientOid: "mine-1" })];
    expect([ours.outcome, theirs.outcome]).toEqual(["ACCEPTED", "ACCEPTED"]);
    expect([sentBy(ours).clientOid, sentBy(theirs).clientOid]).toEqual([ours.clientOid, "mine-1"]);
  });

  it("takes any coin and chain that the exchange lists, and sends nothing for another", async () => {
    live.sandbox.services.wallets.deposit(subUid, "DOGE", exact("200"));
    const doge = { coin: "doge", chain: "dogecoin", address: "DTarget", amount: "60" };
    expect((await withdraw(doge)).outcome).toBe("ACCEPTED");
    const before = live.sandbox.calls.of("subAccountWithdrawal").total;
    for (const [wrong, field] of [
      [{ coin: "NOSUCH" }, "coin"],
      [{ chain: "TRC20" }, "chain"],
      [{ amount: "7.9" }, "amount"],
    ] as const) {
      const { outcome, userErrors } = await withdraw({ ...doge, ...wrong });
      expect([outcome, userErrors.map(({ code, field: at }: { code: string; field: readonly string[] }) => [code, at])]).toEqual([
        "REJECTED",
        [["BAD_USER_INPUT", [field]]],
      ]);
    }
    expect(live.sandbox.calls.of("subAccountWithdrawal").total).toBe(before);
  });

  it("requires a user identifier for a transfer inside the exchange", async () => {
    const payload = await withdraw({ dest: w("INTERNAL_TRANSFER"), address: "TXyz" });
    expect(payload.userErrors).toMatchObject([{ code: "BAD_USER_INPUT", field: ["address"] }]);
  });

  it.each(FAULTS)("is sent once with any fault: %s", async (words, fault) => {
    live.sandbox.faults.add({ endpoint: "subAccountWithdrawal", fault, times: 1 });
    const clientOid = `wd-${words.replaceAll(" ", "-")}`;
    const before = gone();
    await withdraw({ clientOid });
    await withdraw({ clientOid });
    await live.while(pause(50_000));
    const settled = await withdraw({ clientOid });
    expect(live.sandbox.calls.of("subAccountWithdrawal").total).toBe(1);
    await live.while(pause(600_000));
    const hasGone = gone().gt(before);
    expect([settled.outcome, hasGone]).toEqual(takesEffect(fault) ? ["ACCEPTED", true] : ["REJECTED", false]);
  });

  it("does not take another withdrawal of the same content for a lost one", async () => {
    expect((await withdraw({ clientOid: "twin-1", amount: "3" })).outcome).toBe("ACCEPTED");
    await live.while(pause(1_100));
    live.sandbox.faults.add({ endpoint: "subAccountWithdrawal", fault: { kind: "reset" }, times: 1 });
    await withdraw({ clientOid: "twin-2", amount: "3" });
    await live.while(pause(50_000));
    expect((await withdraw({ clientOid: "twin-2", amount: "3" })).outcome).toBe("REJECTED");
  });
});

describe("modifySubAccountEmail", () => {
  const modify = (subUid: string, email: string) =>
    mutate(live, "modifySubAccountEmail", { account: "broker", subUid, email }, "subAccount { subUid contact { email } }");
  const anySubUid = () => live.sandbox.world.state.accounts.subAccounts("8800112255")[0]?.uid ?? "";

  it.each([
    ["a plain success", undefined],
    ["the sub-account's record", "record"],
  ])("changes the address, whether the exchange answers with %s", async (_, shape) => {
    const subUid = anySubUid();
    if (shape !== undefined) {
      const data = {
        subUid,
        subaccountName: "x@broker.example",
        subaccountEmail: "b@desk.example",
        ctime: "1767000000000",
        utime: "",
      };
      const body = JSON.stringify({ code: "00000", msg: "success", requestTime: live.now(), data });
      const fault = { kind: "answer", status: 200, body, when: "after" } as const;
      live.sandbox.faults.add({ endpoint: "modifySubAccountEmail", fault, times: 1 });
    }
    const email = shape === undefined ? "a@desk.example" : "b@desk.example";
    expect(await modify(subUid, email)).toMatchObject({
      outcome: "ACCEPTED",
      subAccount: { subUid, contact: { email } },
    });
  });

  it("is confirmed by the address if the response is lost", async () => {
    live.sandbox.faults.add({ endpoint: "modifySubAccountEmail", fault: { kind: "lost-reply" }, times: 1 });
    expect((await modify(anySubUid(), "c@desk.example")).outcome).toBe("ACCEPTED");
    expect(live.sandbox.calls.of("modifySubAccountEmail").total).toBe(1);
  });

  it("refuses an invalid address", async () => {
    expect((await modify(anySubUid(), "nobody")).userErrors).toMatchObject([{ code: "BAD_USER_INPUT", field: ["email"] }]);
  });
});
