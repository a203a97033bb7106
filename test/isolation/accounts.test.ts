import { afterEach, describe, expect, it, vi } from "vitest";
import { Scheduler } from "../../src/datasources/calls/scheduler/scheduler.js";
import type { ExchangeAccount } from "../../src/datasources/index.js";
import { MemoryCache } from "../../src/datasources/reads/cache/memoryCache.js";
import { AccountModes } from "../../src/datasources/reads/identity/accountModes.js";
import { Users } from "../../src/datasources/reads/identity/users.js";
import { Reader } from "../../src/datasources/reads/reader/reader.js";
import { SharedResults, type Sharing } from "../../src/engine/answers/result.js";
import { post } from "../support/ask.js";
import { graphGateway } from "../support/gateway/graphGateway.js";

afterEach(() => vi.restoreAllMocks());

const sameForAll = <A extends Pick<ExchangeAccount, "name">>(account: A): A => ({ ...account, name: "someone" });
/** A key or a topic, which begin with their account. */
const withoutAccount = (key: string): string => key.replace(/^(?:main|classic)\//, "someone/");
const sameForBoth = (sharing: Sharing): Sharing => ({ ...sharing, key: sharing.key.replace(/"variables":.*/, "") });

/** Calls are prepared with another key or topic. */
function prepared(part: "key" | "topic"): void {
  const { prepare } = Reader.prototype;
  vi.spyOn(Reader.prototype, "prepare").mockImplementation(function (this: Reader, ...given) {
    const call = prepare.apply(this, given);
    return { ...call, [part]: withoutAccount(call[part]) };
  } as typeof prepare);
}

/** Takes the account, or its user, out of the key of a layer that stores data per account. */
const BREAKS = {
  "cache and calls under way": () => prepared("key"),
  drops() {
    prepared("topic");
    const { drop } = MemoryCache.prototype;
    vi.spyOn(MemoryCache.prototype, "drop").mockImplementation(function (this: MemoryCache, topics) {
      drop.call(this, topics.map(withoutAccount));
    });
  },
  "rate budgets"() {
    const { acquire } = Scheduler.prototype;
    vi.spyOn(Scheduler.prototype, "acquire").mockImplementation(function (this: Scheduler, endpoint, _counter, ...rest) {
      return acquire.call(this, endpoint, "someone", ...rest);
    });
  },
  "account modes"() {
    const { of } = AccountModes.prototype;
    vi.spyOn(AccountModes.prototype, "of").mockImplementation(function (this: AccountModes, account, by) {
      return of.call(this, sameForAll(account), by);
    });
  },
  writes() {
    const { of } = Users.prototype;
    vi.spyOn(Users.prototype, "of").mockImplementation(function (this: Users, account, priority) {
      return priority === "write" ? Promise.resolve("1") : of.call(this, account, priority);
    });
  },
  "shared answers"() {
    const { ready, result } = SharedResults.prototype;
    vi.spyOn(SharedResults.prototype, "ready").mockImplementation(function (this: SharedResults, sharing) {
      return ready.call(this, sameForBoth(sharing));
    });
    vi.spyOn(SharedResults.prototype, "result").mockImplementation(function (this: SharedResults, sharing, ...rest) {
      return result.call(this, sameForBoth(sharing), ...rest);
    });
  },
} satisfies Record<string, () => void>;

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

  it.each<[keyof typeof BREAKS, string]>([
    ["cache and calls under way", "in one request"],
    ["drops", "after a drop"],
    ["rate budgets", "budgets"],
    ["account modes", "round 0"],
    ["writes", "write of"],
    ["shared answers", "round 2"],
  ])("would be found out if the account were missing from the key of %s", async (layer, where) => {
    BREAKS[layer]();
    expect(await seen()).toContainEqual(expect.stringContaining(where));
  });
});
