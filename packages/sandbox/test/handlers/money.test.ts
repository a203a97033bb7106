import { ManualClock } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import type { PromisedCredential } from "../../src/credentials.js";
import { CLASSIC_SUB_UIDS, CLASSIC_UID, MAIN_UID } from "../../src/world/opening/initialAccounts.js";
import { fileSandbox } from "../support/fileSandbox.js";
import { credentialOf, send, signedCall } from "../support/signedCall.js";

/** Transfers, deposits and withdrawals, what of a coin can leave a wallet, and fees. */

const NOW = 1_767_225_600_000;
const DAY_MS = 86_400_000;
const clock = new ManualClock(NOW);
const sandbox = await fileSandbox({ clock });

type Account = PromisedCredential["name"];
const get = (account: Account, target: string) => signedCall(sandbox, credentialOf(account), `/api/${target}`);
const post = (account: Account, path: string, body: object) =>
  signedCall(sandbox, credentialOf(account), `/api/${path}`, { method: "POST", body: JSON.stringify(body) });
const rows = async (account: Account, target: string): Promise<readonly Readonly<Record<string, string>>[]> => {
  const { code, data } = await get(account, target);
  expect(code).toBe("00000");
  return (Array.isArray(data) ? data : (data as { readonly list: unknown }).list) as never;
};

describe("transfers", () => {
  const own = { fromType: "spot", toType: "usdt_futures", coin: "usdt", amount: "12.5", clientOid: "mine" };
  const sub = { fromType: "spot", toType: "spot", coin: "USDT", fromUserId: CLASSIC_UID, toUserId: CLASSIC_SUB_UIDS[0] };

  it("of one account are listed by coin; a repeated client id is the same transfer", async () => {
    const first = await post("classic", "v2/spot/wallet/transfer", own);
    expect(first).toMatchObject({ code: "00000", data: { clientOid: "mine" } });
    expect((await post("classic", "v2/spot/wallet/transfer", own)).data).toEqual(first.data);
    expect(await rows("classic", "v2/spot/account/transferRecords?coin=USDT")).toMatchObject([
      { fromType: "spot", toType: "usdt_futures", size: "12.5", clientOid: "mine", status: "Successful" },
    ]);
    expect(await rows("classic", "v2/spot/account/transferRecords?coin=BTC")).toEqual([]);
    expect(await get("classic", "v2/spot/account/transferRecords")).toMatchObject({ code: "40019" });
  });

  it("between master and sub-account are listed for the one who sent, or for the one who received", async () => {
    await post("classic", "v2/spot/wallet/subaccount-transfer", { ...sub, amount: "3" });
    const back = { ...sub, fromUserId: sub.toUserId, toUserId: sub.fromUserId, amount: "1" };
    await post("classic", "v2/spot/wallet/subaccount-transfer", back);
    const list = "v2/spot/account/sub-main-trans-record";
    expect((await rows("classic", list)).map(({ size }) => size)).toEqual(["3"]);
    expect((await rows("classic", `${list}?role=receiver`)).map(({ size }) => size)).toEqual(["1"]);
    expect((await rows("classic", `${list}?subUid=${sub.toUserId}`)).map(({ size }) => size)).toEqual(["1"]);
  });

  it("take no more than can leave the wallet, and none of another user's", async () => {
    expect(await post("classic", "v2/spot/wallet/transfer", { ...own, amount: "9999999", clientOid: "more" })).toMatchObject({
      code: "43117",
    });
    const stolen = { ...sub, fromUserId: MAIN_UID, amount: "1" };
    expect((await post("classic", "v2/spot/wallet/subaccount-transfer", stolen)).code).not.toBe("00000");
  });
});

describe("what of a coin can leave a wallet", () => {
  it("can in fact leave it, and no more", async () => {
    const { data } = await get("main", "v3/account/max-transferable?coin=USDT");
    const { maxTransfer } = data as { readonly maxTransfer: string };
    const out = { fromType: "uta", toType: "p2p", coin: "USDT" };
    expect((await post("main", "v3/account/transfer", { ...out, amount: `${Number.parseInt(maxTransfer, 10) + 1}` })).code).toBe(
      "43117",
    );
    expect((await post("main", "v3/account/transfer", { ...out, amount: maxTransfer })).code).toBe("00000");
    const most = await get("main", "v3/account/max-withdrawal?coin=USDT");
    const { totalMaxWithdrawal } = most.data as { readonly totalMaxWithdrawal: string };
    const withdrawal = { coin: "USDT", transferType: "on_chain", address: "somewhere", size: totalMaxWithdrawal };
    expect((await post("main", "v3/account/withdrawal", withdrawal)).code).toBe("00000");
    expect((await post("main", "v3/account/withdrawal", { ...withdrawal, size: "2" })).code).toBe("43012");
  });
});

describe("deposits and withdrawals", () => {
  const span = `startTime=${NOW - 90 * DAY_MS}&endTime=${NOW + DAY_MS}`;

  it("are listed in both versions, the fee of a withdrawal with opposite signs", async () => {
    const order = {
      coin: "XRP",
      transferType: "on_chain",
      chain: "ripple",
      address: "rX",
      tag: "7",
      size: "25",
      clientOid: "out",
    };
    await post("main", "v3/account/transfer", { fromType: "uta", toType: "p2p", coin: "XRP", amount: "30" });
    await post("main", "v3/account/withdrawal", order);
    await post("classic", "v2/spot/wallet/withdrawal", order);
    expect(await rows("main", `v3/account/withdrawal-records?${span}&clientOid=out`)).toMatchObject([
      { coin: "XRP", size: "25", fee: "0.2", chain: "Ripple", tag: "7", status: "pending", clientOid: "out" },
    ]);
    expect(await rows("classic", `v2/spot/wallet/withdrawal-records?${span}&clientOid=out`)).toMatchObject([
      { coin: "XRP", size: "25", fee: "-0.2", chain: "Ripple", tag: "7", status: "pending" },
    ]);
  });

  it("page by the smallest order id of the page before", async () => {
    const first = await rows("main", `v3/account/deposit-records?${span}&limit=5`);
    const second = await rows("main", `v3/account/deposit-records?${span}&limit=5&cursor=${first.at(-1)?.orderId}`);
    const both = await rows("main", `v3/account/deposit-records?${span}&limit=10`);
    expect([...first, ...second]).toEqual(both);
    expect(both).toHaveLength(10);
  });

  it("between users are a withdrawal of one and a deposit of the other", async () => {
    const order = { coin: "ETH", transferType: "internal_transfer", address: MAIN_UID, size: "0.2" };
    await post("classic", "v2/spot/wallet/withdrawal", order);
    expect((await rows("main", `v3/account/deposit-records?${span}&coin=ETH`))[0]).toMatchObject({
      ...{ size: "0.2", dest: "internal_transfer", fromAddress: CLASSIC_UID, status: "success" },
    });
  });

  it("are brought in by a control call, which says what is wrong", async () => {
    const deposit = async (body: object) => {
      const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const { status, text } = await send(sandbox.url, "/sandbox/deposits", init);
      return [status, JSON.parse(text)];
    };
    const given = { uid: CLASSIC_UID, coin: "USDT", amount: "250.5", chain: "bep20" };
    const [status, { orderId }] = await deposit(given);
    expect(status).toBe(200);
    expect((await rows("classic", `v2/spot/wallet/deposit-records?${span}`))[0]).toMatchObject({
      orderId,
      size: "250.5",
      chain: "BEP20",
    });
    expect(await deposit({ ...given, uid: "1" })).toEqual([400, { error: 'there is no account "1"' }]);
    expect(await deposit({ ...given, chain: "SOL" })).toEqual([400, { error: "chain Illegal type" }]);
    expect((await deposit({ ...given, amount: "-1" }))[0]).toBe(400);
  });
});

it("fee rates are those by which fills are charged", async () => {
  const rates = await rows("main", "v3/account/all-fee-rate?category=SPOT");
  const { takerFeeRate } = rates.find(({ symbol }) => symbol === "BTCUSDT") ?? {};
  await post("main", "v3/trade/place-order", {
    category: "SPOT",
    symbol: "BTCUSDT",
    orderType: "market",
    side: "sell",
    qty: "0.01",
  });
  const { data } = await get("main", "v3/trade/fills?category=SPOT&limit=1");
  const { list } = data as { readonly list: readonly { execValue: string; feeDetail: readonly { fee: string }[] }[] };
  expect(plain(exact(list[0]?.execValue ?? "0").times(takerFeeRate ?? "0"))).toBe(list[0]?.feeDetail[0]?.fee);
});
