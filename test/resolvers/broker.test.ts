import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findSubAccount } from "../../src/datasources/reads/index.js";
import { type LiveGraph, startLiveGraph } from "./support/liveGraph.js";

let live: LiveGraph;
beforeAll(async () => {
  live = await startLiveGraph();
});
afterAll(() => live.close());
beforeEach(() => live.nextMinute());

const AMOUNT = expect.stringMatching(/^-?\d+(\.\d+)?$/);
const TIME = expect.stringMatching(/^\d{4}-.+Z$/);

const newest = async (): Promise<string> => {
  const { data } = await live.run('{ account(name: "broker") { broker { subAccounts(first: 1) { nodes { subUid } } } } }');
  live.nextMinute();
  return data.account.broker.subAccounts.nodes[0].subUid;
};

describe("broker", () => {
  it("says how many sub-accounts there are and may be", async () => {
    const { data, errors, calls } = await live.run(
      '{ account(name: "broker") { broker { info { subAccountCount maxSubAccountCount updatedTime } } } }',
    );
    expect(errors).toEqual([]);
    expect(calls).toEqual(["brokerInfo"]);
    const { info } = data.account.broker;
    expect(info).toEqual({ subAccountCount: expect.any(Number), maxSubAccountCount: expect.any(Number), updatedTime: TIME });
    expect(info.subAccountCount).toBeLessThanOrEqual(info.maxSubAccountCount);
  });

  it("lists every sub-account, in pages", async () => {
    const document = `query ($after: String) { account(name: "broker") { broker {
      info { subAccountCount }
      subAccounts(first: 10, after: $after) { nodes { id subUid } pageInfo { hasNextPage endCursor } }
    } } }`;
    const found: string[] = [];
    let size = 0;
    let after: string | null = null;
    do {
      live.nextMinute();
      const { data, errors } = await live.run(document, { after });
      expect(errors).toEqual([]);
      const { info, subAccounts } = data.account.broker;
      found.push(...subAccounts.nodes.map(({ subUid }: { subUid: string }) => subUid));
      size = info.subAccountCount;
      after = subAccounts.pageInfo.hasNextPage ? subAccounts.pageInfo.endCursor : null;
    } while (after !== null);
    expect(found.length).toBe(size);
    expect(new Set(found).size).toBe(size);
  });

  it("reads the profiles of listed sub-accounts from the list, with one call for all", async () => {
    const { data, errors, calls } = await live.run(`{ account(name: "broker") { broker { subAccounts(first: 5) { nodes { profile {
      name status statusRaw permissions label language createdTime updatedTime
    } } } } } }`);
    expect(errors).toEqual([]);
    expect(calls).toEqual(["subAccountList"]);
    expect(data.account.broker.subAccounts.nodes).toHaveLength(5);
    expect(data.account.broker.subAccounts.nodes[0].profile).toEqual({
      name: expect.stringContaining("@"),
      status: "NORMAL",
      statusRaw: "normal",
      permissions: expect.arrayContaining([expect.any(String)]),
      label: expect.any(String),
      language: expect.any(String),
      createdTime: TIME,
      updatedTime: TIME,
    });
  });

  it("finds one sub-account with its profile, and none for a stranger", async () => {
    const subUid = await newest();
    const document =
      'query ($subUid: String!) { account(name: "broker") { broker { subAccount(subUid: $subUid) { subUid profile { status } } } } }';
    expect((await live.run(document, { subUid })).data.account.broker.subAccount).toEqual({
      subUid,
      profile: { status: "NORMAL" },
    });
    expect((await live.run(document, { subUid: "12345" })).data.account.broker.subAccount).toBeNull();
  });

  it("finds one among hundreds by the pages before it alone, and looks through all of them for a stranger", async () => {
    const all = Array.from({ length: 250 }, (_, at) => ({ subUid: String(99_000_000 - at) }));
    let calls = 0;
    const reads = {
      now: () => 1_767_225_600_000,
      identitiesOf: () => ["broker"],
      read: async (_: unknown, { idLessThan, limit = 10 }: { readonly idLessThan?: string; readonly limit?: number }) => {
        calls++;
        const list = all.filter(({ subUid }) => idLessThan === undefined || subUid < idLessThan).slice(0, limit);
        return { list, cursor: list.at(-1) === all.at(-1) ? null : (list.at(-1)?.subUid ?? null) };
      },
    } as unknown as Parameters<typeof findSubAccount>[0];
    const search = async (subUid: string) => {
      calls = 0;
      const found = await findSubAccount(reads, { name: "broker" } as Parameters<typeof findSubAccount>[1], subUid);
      return [found?.subUid, calls];
    };
    const uidAt = (at: number) => all[at]?.subUid ?? "none";
    expect(await search(uidAt(7))).toEqual([uidAt(7), 1]);
    expect(await search(uidAt(150))).toEqual([uidAt(150), 2]);
    expect(await search(uidAt(249))).toEqual([uidAt(249), 3]);
    expect(await search("12345")).toEqual([undefined, 3]);
  });

  it("joins a sub-account with its spot and futures assets, one call each", async () => {
    const subUid = await newest();
    const { data, errors, calls } = await live.run(
      `query ($subUid: String!) { account(name: "broker") { broker { subAccount(subUid: $subUid) {
        id
        account { name }
        spotAssets { coin available frozen locked updatedTime }
        futuresAssets(productType: USDT_FUTURES) {
          marginCoin available frozen locked crossedMaxAvailable isolatedMaxAvailable maxTransferOut equity equityUsdt
          equityBtc unrealisedPnl updatedTime
        }
      } } } }`,
      { subUid },
    );
    expect(errors).toEqual([]);
    expect(calls.toSorted()).toEqual(["brokerSubAccountFuturesAssets", "subAccountList", "subAccountSpotAssets"]);
    const { account, spotAssets, futuresAssets } = data.account.broker.subAccount;
    expect(account).toEqual({ name: "broker" });
    expect(spotAssets[0]).toEqual({
      coin: expect.any(String),
      available: AMOUNT,
      frozen: AMOUNT,
      locked: AMOUNT,
      updatedTime: TIME,
    });
    expect(futuresAssets[0]).toMatchObject({ marginCoin: "USDT", equity: AMOUNT, equityUsdt: AMOUNT, equityBtc: AMOUNT });
  });

  it("lists the futures accounts of all product types but the demo ones without one, each with its own", async () => {
    const { data, errors, calls } = await live.run(
      `query ($subUid: String!) { account(name: "broker") { broker { subAccount(subUid: $subUid) {
        all: futuresAssets { productType marginCoin }
        demo: futuresAssets(productType: SUSDT_FUTURES) { productType }
      } } } }`,
      { subUid: await newest() },
    );
    expect(errors).toEqual([]);
    expect(calls.filter((name) => name === "brokerSubAccountFuturesAssets")).toHaveLength(4);
    const { all, demo } = data.account.broker.subAccount;
    expect(all[0]).toEqual({ productType: "USDT_FUTURES", marginCoin: "USDT" });
    for (const { productType } of demo) expect(productType).toBe("SUSDT_FUTURES");
  });

  it("lists held coins, or all coins, or one coin, which wins over the other two", async () => {
    const subUid = await newest();
    const { data, errors } = await live.run(
      `query ($subUid: String!) { account(name: "broker") { broker { subAccount(subUid: $subUid) {
        held: spotAssets { coin }
        holdOnly: spotAssets(assetType: HOLD_ONLY) { coin }
        all: spotAssets(assetType: ALL) { coin }
        one: spotAssets(coin: "USDT", assetType: ALL) { coin }
      } } } }`,
      { subUid },
    );
    expect(errors).toEqual([]);
    const { held, holdOnly, all, one } = data.account.broker.subAccount;
    expect(holdOnly).toEqual(held);
    expect(all.length).toBeGreaterThan(held.length);
    expect(one).toEqual([{ coin: "USDT" }]);
  });

  it("is refused to an account that is no broker, field by field", async () => {
    const { data, errors } = await live.run(
      '{ account(name: "classic") { name broker { info { subAccountCount } subAccounts { nodes { subUid } } } } }',
    );
    expect(data).toEqual({ account: { name: "classic", broker: { info: null, subAccounts: null } } });
    expect(errors.map(({ path, extensions }) => [path?.join("."), extensions.code, extensions.exchange]).toSorted()).toEqual([
      ["account.broker.info", "FORBIDDEN", { code: "40029", msg: "Not a Broker", endpoint: "/api/v2/broker/account/info" }],
      [
        "account.broker.subAccounts",
        "FORBIDDEN",
        { code: "40029", msg: "Not a Broker", endpoint: "/api/v2/broker/account/subaccount-list" },
      ],
    ]);
  });

  it.each([
    [
      "a page that is too large",
      '{ account(name: "broker") { broker { subAccounts(first: 501) { nodes { subUid } } } } }',
      "first must be a whole number from 1 to 500",
    ],
  ])("refuses %s and sends nothing", async (_what, document, message) => {
    const { errors } = await live.run(document);
    expect(errors.map((error) => [error.message, error.extensions.code])).toEqual([[message, "BAD_USER_INPUT"]]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});
