import { describe, expect, it } from "vitest";
import type { ExchangeAccount } from "../../src/datasources/index.js";
import { SubAccountLoader } from "../../src/datasources/reads/loaders/subAccountLoader.js";
import { AMOUNT, sharedGraph, TIME } from "./support/sharedGraph.js";

const live = sharedGraph();

const newest = async (): Promise<string> => {
  const { data } = await live.run('{ account(name: "broker") { broker { subAccounts(first: 1) { nodes { subUid } } } } }');
  live.nextMinute();
  return data.account.broker.subAccounts.nodes[0].subUid;
};

/** Until it is forgotten which sub-accounts the broker has. */
const tenMinutes = (): void => {
  for (let minute = 0; minute <= 10; minute++) live.nextMinute();
};

describe("broker", () => {
  it("says how many sub-accounts there are and may be", async () => {
    const { data, calls } = await live.answer(
      '{ account(name: "broker") { broker { info { subAccountCount maxSubAccountCount updatedTime } } } }',
    );
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
    const { info } = (await live.answer(document)).data.account.broker;
    const pages = await live.pages(document, (data) => data.account.broker.subAccounts);
    const found = pages.flatMap(({ nodes }) => nodes.map(({ subUid }) => subUid));
    expect(found.length).toBe(info.subAccountCount);
    expect(new Set(found).size).toBe(found.length);
  });

  it("reads the profiles of listed sub-accounts from the list, with one call for all", async () => {
    const { data, calls } = await live.answer(`{ account(name: "broker") { broker { subAccounts(first: 5) { nodes { profile {
      name status statusRaw permissions label language createdTime updatedTime
    } } } } } }`);
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
    live.nextMinute();
    expect((await live.run(document, { subUid: "12345" })).data.account.broker.subAccount).toBeNull();
  });

  it("finds one among hundreds with one call, and several with the pages that they share", async () => {
    const all = Array.from({ length: 450 }, (_, at) => ({ subUid: String(99_000_000 - 2 * at) }));
    const calls: unknown[] = [];
    const reads = {
      read: async (_: unknown, values: { readonly idLessThan: string; readonly limit: number }) => {
        calls.push(values);
        const below = all.filter(({ subUid }) => subUid < values.idLessThan);
        const list = below.slice(0, values.limit);
        return { list, cursor: list.length < below.length ? (list.at(-1)?.subUid ?? null) : null };
      },
    } as unknown as ConstructorParameters<typeof SubAccountLoader>[0];
    const account = { name: "broker" } as ExchangeAccount;
    const search = async (...subUids: string[]) => {
      calls.length = 0;
      const loader = new SubAccountLoader({ ...reads, within: () => reads });
      return Promise.all(subUids.map(async (one) => (await loader.find(account, one))?.subUid ?? null));
    };
    const uidAt = (at: number) => all[at]?.subUid ?? "none";
    for (const at of [0, 7, 150, 449]) {
      expect(await search(uidAt(at))).toEqual([uidAt(at)]);
      expect(calls).toEqual([{ idLessThan: String(Number.parseInt(uidAt(at), 10) + 1), limit: 1 }]);
    }
    // Between two, below all, above all.
    for (const stranger of ["98999999", "12345", "99999999999"]) {
      expect(await search(stranger)).toEqual([null]);
      expect(calls).toHaveLength(1);
    }
    expect(await search("no number", "", "9".repeat(30))).toEqual([null, null, null]);
    expect(calls).toEqual([]);
    const near = [449, 3, 20, 99, 380].map(uidAt);
    expect(await search(...near, "98999999")).toEqual([...near, null]);
    expect(calls).toHaveLength(2);
    await expect(search(...[0, 101, 202, 303, 404].map(uidAt))).resolves.toHaveLength(5);
    expect(calls).toHaveLength(5);
  });

  it("does not ask again for ten minutes whether there is a sub-account that it has found", async () => {
    const subUid = await newest();
    tenMinutes();
    const asked = async (uid: string) => {
      const { data, calls } = await live.answer(
        `{ account(name: "broker") { broker { subAccount(subUid: "${uid}") { contact { email } } } } }`,
      );
      return [data.account.broker.subAccount?.contact.email ?? null, calls];
    };
    expect(await asked(subUid)).toEqual([expect.any(String), ["subAccountList", "subAccountEmail"]]);
    live.nextMinute();
    expect(await asked(subUid)).toEqual([expect.any(String), ["subAccountEmail"]]);
    live.nextMinute();
    expect(await asked("12345")).toEqual([null, ["subAccountList"]]);
  });

  it("joins a sub-account with its spot and futures assets, one call each", async () => {
    const subUid = await newest();
    tenMinutes();
    const { data, calls } = await live.answer(
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
    const { data, calls } = await live.answer(
      `query ($subUid: String!) { account(name: "broker") { broker { subAccount(subUid: $subUid) {
        all: futuresAssets { productType marginCoin }
        demo: futuresAssets(productType: SUSDT_FUTURES) { productType }
      } } } }`,
      { subUid: await newest() },
    );
    expect(calls.filter((name) => name === "brokerSubAccountFuturesAssets")).toHaveLength(4);
    const { all, demo } = data.account.broker.subAccount;
    expect(all[0]).toEqual({ productType: "USDT_FUTURES", marginCoin: "USDT" });
    for (const { productType } of demo) expect(productType).toBe("SUSDT_FUTURES");
  });

  it("lists held coins, or all coins, or one coin, which wins over the other two", async () => {
    const subUid = await newest();
    const { data } = await live.answer(
      `query ($subUid: String!) { account(name: "broker") { broker { subAccount(subUid: $subUid) {
        held: spotAssets { coin }
        holdOnly: spotAssets(assetType: HOLD_ONLY) { coin }
        all: spotAssets(assetType: ALL) { coin }
        one: spotAssets(coin: "USDT", assetType: ALL) { coin }
      } } } }`,
      { subUid },
    );
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
});
