import { afterEach, describe, expect, it, vi } from "vitest";
import type { ExchangeAccount } from "../../src/datasources/index.js";
import { post } from "../support/ask.js";
import { graphGateway } from "../support/gateway/graphGateway.js";

/** A layer that stores data per account. */
type Layer = "cache and calls under way" | "drops" | "rate budgets" | "account modes" | "writes" | "shared answers";

/** The layer whose key deliberately lacks the account; `undefined` in the regular case. */
const broken = vi.hoisted(() => ({ layer: undefined as Layer | undefined }));
afterEach(() => {
  broken.layer = undefined;
});

const sameForAll = <A extends Pick<ExchangeAccount, "name">>(account: A): A => ({ ...account, name: "someone" });

vi.mock("../../src/datasources/reads/cache/cacheKeys.js", async (original) => {
  const real = await original<typeof import("../../src/datasources/reads/cache/cacheKeys.js")>();
  const without = (layer: Layer, owner: string | undefined) =>
    broken.layer === layer && owner !== undefined ? "someone" : owner;
  return {
    ...real,
    cacheKey: (...[endpoint, owner, parameters]: Parameters<typeof real.cacheKey>) =>
      real.cacheKey(endpoint, without("cache and calls under way", owner), parameters),
    topicKey: (...[name, owner]: Parameters<typeof real.topicKey>) => real.topicKey(name, without("drops", owner)),
  };
});

vi.mock("../../src/datasources/calls/scheduler/buckets.js", async (original) => {
  const real = await original<typeof import("../../src/datasources/calls/scheduler/buckets.js")>();
  return {
    ...real,
    counterOf: (...[endpoint, account, users]: Parameters<typeof real.counterOf>) =>
      real.counterOf(endpoint, account, broken.layer === "rate budgets" ? { idOf: () => "someone" } : users),
  };
});

vi.mock("../../src/datasources/reads/identity/accountModes.js", async (original) => {
  const real = await original<typeof import("../../src/datasources/reads/identity/accountModes.js")>();
  return {
    AccountModes: class extends real.AccountModes {
      override of(...[account, trace]: Parameters<InstanceType<typeof real.AccountModes>["of"]>) {
        return super.of(broken.layer === "account modes" ? sameForAll(account) : account, trace);
      }
    },
  };
});

vi.mock("../../src/datasources/writes/writer.js", async (original) => {
  const real = await original<typeof import("../../src/datasources/writes/writer.js")>();
  return {
    ...real,
    Writer: class extends real.Writer {
      override write: InstanceType<typeof real.Writer>["write"] = (request) =>
        super.write(broken.layer === "writes" ? { ...request, account: sameForAll(request.account) } : request);
    },
  };
});

vi.mock("../../src/engine/answers/result.js", async (original) => {
  const real = await original<typeof import("../../src/engine/answers/result.js")>();
  const sameForBoth = (sharing: InstanceType<typeof real.Sharing>) =>
    broken.layer === "shared answers" ? { ...sharing, key: sharing.key.replace(/"variables":.*/, "") } : sharing;
  return {
    ...real,
    SharedResults: class extends real.SharedResults {
      override ready(sharing: InstanceType<typeof real.Sharing>) {
        return super.ready(sameForBoth(sharing));
      }
      override result(...[sharing, ...rest]: Parameters<InstanceType<typeof real.SharedResults>["result"]>) {
        return super.result(sameForBoth(sharing), ...rest);
      }
    },
  };
});

const NAMES = ["main", "classic"] as const;
const MODES = { main: "UNIFIED", classic: "CLASSIC" } as const;

const READ = "query ($name: String) { account(name: $name) { name mode loans { debts { loans { coin } } } } }";
const BOTH = `{ ${NAMES.map((name) => `${name}: account(name: "${name}") { loans { debts { loans { coin } } } }`).join(" ")} }`;
const CANCEL = `mutation ($name: String) {
  cancelOrder(input: { account: $name, category: SPOT, symbol: "BTCUSDT", by: { orderId: "1" }, idempotencyKey: "same" }) { outcome clientOid }
}`;

const debtsOf = (name: string) => ({ debts: { loans: [{ coin: name }] } });
const read = (name: (typeof NAMES)[number]) => ({ account: { name, mode: MODES[name], loans: debtsOf(name) } });

/** The debts of a Classic account, and of a unified one. */
const DEBTS = ["/api/v2/earn/loan/debts", "/api/v3/loan/debts"];

/** Foreign data that two accounts see in equal concurrent requests. */
async function seen(): Promise<string[]> {
  const gateway = await graphGateway();
  const { upstream, exchange } = gateway;
  const principal = (headers: Readonly<Record<string, unknown>>) => String(headers["access-key"]).replace(/-key$/, "");
  upstream.on("/api/v3/account/settings", ({ headers }) =>
    principal(headers) === "main" ? { data: { uid: "1", accountMode: "unified" } } : { code: "40084", msg: "classic" },
  );
  for (const path of DEBTS)
    upstream.on(path, ({ headers }) => ({
      data: { loanInfos: [{ coin: principal(headers), amount: "1", amountUsdt: "1" }], pledgeInfos: [] },
    }));
  for (const path of ["/api/v3/trade/cancel-order", "/api/v2/spot/trade/cancel-order"])
    upstream.on(path, ({ headers }) => ({ data: { orderId: "1", clientOid: principal(headers) } }));
  const ask = async (query: string, name?: string): Promise<unknown> => {
    const response = await post(gateway.url, { query, variables: { name } });
    return response.json();
  };
  const found: string[] = [];
  const hold = (what: string, actual: unknown, expected: unknown) => {
    const [is, shouldBe] = [actual, expected].map((value) => JSON.stringify(value));
    if (is !== shouldBe) found.push(`${what}: ${is} instead of ${shouldBe}`);
  };
  const atOnce = (query: string) => gateway.while(Promise.all(NAMES.map((name) => ask(query, name))));
  const debtCalls = () => DEBTS.flatMap((path) => upstream.callsOf(path)).map(({ headers }) => principal(headers));
  try {
    // Through Apollo, then compiled, then from a shared result; and again after the cache was cleared.
    for (let round = 0; round < 6; round++) {
      const answers = await atOnce(READ);
      for (const [at, name] of NAMES.entries()) hold(`round ${round}, ${name}`, answers[at], { data: read(name) });
      if (round === 3) gateway.clock.advance(60_000);
    }
    hold("in one request", await gateway.while(ask(BOTH)), {
      data: Object.fromEntries(NAMES.map((name) => [name, { loans: debtsOf(name) }])),
    });

    gateway.clock.advance(60_000);
    await atOnce(READ);
    const nameOf = (counter: string) =>
      exchange.accounts.find((account) => exchange.knownUsers.idOf(account) === counter)?.name ?? counter;
    const counters = exchange.scheduler.buckets().filter(({ endpoint }) => /loanDebts$/i.test(endpoint));
    hold(
      "budgets",
      counters.map(({ counter, limit, left }) => [nameOf(counter), limit - left]).sort(),
      [...NAMES].sort().map((name) => [name, 1]),
    );

    const before = debtCalls().length;
    exchange.reader.drop("main", ["loanDebts", "unifiedLoanDebts"]);
    await atOnce(READ);
    hold("after a drop of main's debts", debtCalls().slice(before), ["main"]);

    const cancelled = await atOnce(CANCEL);
    for (const [at, name] of NAMES.entries())
      hold(`write of ${name}`, cancelled[at], { data: { cancelOrder: { outcome: "ACCEPTED", clientOid: name } } });
  } finally {
    await gateway.close();
  }
  return found;
}

describe("two accounts that send equal documents at the same time", () => {
  it("never see each other's bytes, in any round, through any layer", async () => {
    expect(await seen()).toEqual([]);
  });

  it.each<[Layer, string]>([
    ["cache and calls under way", "in one request"],
    ["drops", "after a drop"],
    ["rate budgets", "budgets"],
    ["account modes", "round 0"],
    ["writes", "write of"],
    ["shared answers", "round 2"],
  ])("would be found out if the account were missing from the key of %s", async (layer, where) => {
    broken.layer = layer;
    expect(await seen()).toContainEqual(expect.stringContaining(where));
  });
});
