import { exact } from "@exchange-graph/contract/decimal";
import { execute, parse } from "graphql";
import { afterEach, describe, expect, it } from "vitest";
import { ANYONE, type Principal, Rights } from "../../../src/resolvers/access/principal.js";
import { createContext } from "../../../src/resolvers/index.js";
import { graph } from "../../support/graph.js";
import { sharedGraph } from "../support/sharedGraph.js";
import { mutate, Word } from "./support/mutate.js";

const live = sharedGraph({ hasPast: false });
afterEach(async () => {
  const { writes } = live.exchange;
  const halted = writes.halts.all.map(({ account }) => (account === null ? null : live.exchange.account(account)));
  await Promise.all(halted.map((account) => writes.halts.resume(account ?? null)));
});

const order = (clientOid: string, more = {}) => ({
  ...{ account: "main", category: new Word("SPOT"), symbol: "BTCUSDT", side: new Word("BUY"), orderType: new Word("LIMIT") },
  ...{ qty: "0.001", price: "60000", clientOid },
  ...more,
});
const LONG = { category: new Word("USDT_FUTURES"), orderType: new Word("MARKET"), qty: "0.02", price: undefined };
const HALTED = { outcome: "REJECTED", userErrors: [{ code: "TRADING_HALTED", isRetryable: false }], request: null };
const halts = async () => (await live.run("{ exchange { halts { account startTime by reason } } }")).data.exchange.halts;

describe("haltTrading", () => {
  it("refuses every write of the account except those that reduce risk, dry runs too", async () => {
    await mutate(live, "placeOrder", order("open"));
    await mutate(live, "placeOrder", order("long", LONG));
    // This gateway keeps its journal, and therefore its halts, in memory.
    const halted = await mutate(live, "haltTrading", { account: "main", reason: "audit" }, "halts { account reason } isDurable");
    expect(halted).toMatchObject({ outcome: "ACCEPTED", halts: [{ account: "main", reason: "audit" }], isDurable: false });
    const refused = await mutate(live, "placeOrder", order("late"));
    expect(refused).toMatchObject(HALTED);
    expect(refused.userErrors[0].message).toMatch(/^trading of main is halted since .* \(audit\): only cancels and closes/);
    expect(await mutate(live, "placeOrder", order("late", { dryRun: true }))).toMatchObject(HALTED);
    const change = { account: "main", category: new Word("SPOT"), symbol: "BTCUSDT", by: { clientOid: "open" }, price: "60001" };
    expect(await mutate(live, "modifyOrder", change)).toMatchObject(HALTED);
    const leverage = { account: "main", category: new Word("USDT_FUTURES"), symbol: "BTCUSDT", leverage: "20" };
    expect(await mutate(live, "setLeverage", leverage)).toMatchObject(HALTED);
    const close = order("close", { ...LONG, side: new Word("SELL"), reduceOnly: true });
    expect(await mutate(live, "placeOrder", close)).toMatchObject({ outcome: "ACCEPTED" });
    const { symbol, account } = close;
    const cancel = { account, category: new Word("SPOT"), symbol, by: { clientOid: "open" } };
    expect(await mutate(live, "cancelOrder", cancel)).toMatchObject({ outcome: "ACCEPTED" });
    expect(await mutate(live, "placeOrder", order("elsewhere", { account: "classic" }))).toMatchObject({ outcome: "ACCEPTED" });
    await mutate(live, "resumeTrading", { account: "main" });
    expect(await mutate(live, "placeOrder", order("late"))).toMatchObject({ outcome: "ACCEPTED" });
  });

  it("refuses conversions and withdrawals", async () => {
    await mutate(live, "haltTrading", { allAccounts: true });
    const withdrawal = {
      subUid: "1",
      coin: "USDT",
      dest: new Word("ON_CHAIN"),
      chain: "trc20",
      address: "TQ4",
      amount: "2",
    };
    expect(await mutate(live, "withdrawFromSubAccount", { account: "broker", ...withdrawal })).toMatchObject(HALTED);
    const quote = {
      traceId: "1",
      fromCoin: "USDT",
      fromAmount: "100",
      toCoin: "BTC",
      toAmount: "0.001",
      price: "0.00001",
    };
    expect(await mutate(live, "convert", { account: "main", ...quote })).toMatchObject(HALTED);
  });

  it("of all accounts, when lifted, leaves accounts halted by name", async () => {
    await mutate(live, "haltTrading", { allAccounts: true });
    await mutate(live, "haltTrading", { account: "classic" });
    expect(await halts()).toMatchObject([{ account: null, by: null }, { account: "classic" }]);
    await mutate(live, "resumeTrading", { allAccounts: true });
    expect(await mutate(live, "placeOrder", order("on-main"))).toMatchObject({ outcome: "ACCEPTED" });
    expect(await mutate(live, "placeOrder", order("on-classic", { account: "classic" }))).toMatchObject(HALTED);
    await mutate(live, "resumeTrading", { account: "classic" });
    expect(await halts()).toEqual([]);
  });

  it.each(["main", "classic"])("cancels everything open on %s, until nothing is left", async (account) => {
    const names = Array.from({ length: 12 }, (_, at) => `${account}-${at}`);
    const placed = await Promise.all(names.map((name) => mutate(live, "placeOrder", order(name, { account }))));
    expect(placed.map(({ outcome }) => outcome)).toEqual(names.map(() => "ACCEPTED"));
    if (account === "classic")
      await mutate(live, "placeOrder", order("", { account, clientOid: undefined, triggerPrice: "61000" }));
    const selection = "cancelled cancelFailures { orderId message }";
    const halted = await mutate(live, "haltTrading", { account, cancelOpen: true }, selection);
    expect(halted).toMatchObject({ outcome: "ACCEPTED", cancelFailures: [] });
    expect(halted.cancelled).toBeGreaterThanOrEqual(names.length + (account === "classic" ? 1 : 0));
    await mutate(live, "resumeTrading", { account });
    const open = await live.run(`{ account(name: "${account}") { openOrders { nodes { orderId } } } }`);
    expect(open.data.account.openOrders.nodes).toEqual([]);
  });

  it.each(["main", "classic"])("ends trigger orders on %s and lists the take-profit that it keeps", async (account) => {
    await mutate(live, "placeOrder", order(`held-${account}`, { account, ...LONG }));
    const exit = { account, category: new Word("USDT_FUTURES"), symbol: "BTCUSDT", posSide: new Word("LONG"), qty: "0.01" };
    const takeProfit = { ...exit, planType: new Word("PROFIT_PLAN"), triggerPrice: "190000" };
    expect(await mutate(live, "placeTpslOrder", takeProfit)).toMatchObject({ outcome: "ACCEPTED" });
    live.sandbox.world.plans.placeEntry({
      ...{ kind: "normal_plan", triggerPrice: exact("20000"), triggerBy: "market" },
      order: {
        uid: account === "main" ? "8800112233" : "8800112244",
        ...{ category: "USDT-FUTURES", symbol: "ETHUSDT", side: "buy", orderType: "market", quantity: exact("1") },
      },
    });
    const selection = "cancelled kept { accountName category symbol planType planTypeRaw } cancelFailures { message }";
    expect(await mutate(live, "haltTrading", { account, cancelOpen: true }, selection)).toMatchObject({
      outcome: "ACCEPTED",
      kept: [{ accountName: account, category: "USDT_FUTURES", symbol: "BTCUSDT" }],
      cancelFailures: [],
    });
    live.nextMinute();
    const left = await live.run(`{ account(name: "${account}") { planOrders(category: USDT_FUTURES) { nodes { symbol } } } }`);
    expect(left.data.account.planOrders.nodes).toEqual([{ symbol: "BTCUSDT" }]);
    const without = await mutate(live, "haltTrading", { account }, "cancelled kept { orderId } cancelFailures { message }");
    expect(without).toMatchObject({ cancelled: null, kept: [], cancelFailures: [] });
  });

  it("reports what is wrong with its input", async () => {
    const problems = async (input: Parameters<typeof mutate>[2]) =>
      (await mutate(live, "haltTrading", input)).userErrors.map(({ message }: { readonly message: string }) => message);
    const either = "account must be given, or allAccounts: true, and not both";
    expect(await problems({})).toEqual([either]);
    expect(await problems({ account: "main", allAccounts: true })).toEqual([either]);
    expect(await problems({ account: "nobody" })).toEqual(["account must be the name of an account"]);
    expect(await problems({ account: "main", reason: "\n" })).toEqual(["reason must be text of 1 to 200 printable characters"]);
    expect(await halts()).toEqual([]);
  });

  it("requires the admin scope, and to halt all accounts that of all accounts", async () => {
    const as = async (rights: Rights, input: string) => {
      const principal: Principal = { ...ANYONE, rights };
      const document = parse(`mutation { haltTrading(input: { ${input} }) { outcome userErrors { code } halts { account } } }`);
      const { data, errors } = await live.while(
        Promise.resolve(execute({ schema: graph, document, contextValue: createContext(live.exchange, principal) })),
      );
      return errors?.[0]?.message ?? data?.haltTrading;
    };
    const trader = new Rights({ trade: "*", "read:account": "*" });
    expect(await as(trader, 'account: "main"')).toBe("this needs the scope admin");
    const limited = new Rights({ admin: ["classic"], trade: "*" });
    expect(await as(limited, 'account: "main"')).toBe("this needs the scope admin for the account main");
    expect(await as(limited, "allAccounts: true")).not.toMatchObject({ outcome: "ACCEPTED" });
    expect(await halts()).toEqual([]);
    expect(await as(limited, 'account: "classic"')).toMatchObject({ outcome: "ACCEPTED", halts: [{ account: "classic" }] });
    await mutate(live, "resumeTrading", { account: "classic" });
  });
});
