import { exact, plain } from "@exchange-graph/contract/decimal";
import { afterEach, describe, expect, it } from "vitest";
import type { LimitBook } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { modifyOrder } from "../../../src/datasources/writes/mutations/modifyOrder.js";
import { placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { writesOn } from "../../support/writesOn.js";
import { type AccountName, type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

/** Orders of a Classic account are changed by new orders in their place: each can trade its whole quantity. */

const newFile = temporaryFiles();
let live: LiveExchange;
afterEach(() => live.close());

const start = async (limits: Partial<LimitBook>, journalPath = ":memory:") => {
  live = await startLiveExchange({ limits: { accounts: new Map(), clients: new Map(), ...limits }, journalPath });
  await live.identified();
};
const eth = (most: string) => ({ coins: new Map([["ETH", most]]) });
const money = (value: string) => ({ value, coins: new Map<string, string>() });
type Category = "SPOT" | "USDT-FUTURES";
const REPLACING = { SPOT: "classicReplaceSpotOrder", "USDT-FUTURES": "classicModifyFuturesOrder" } as const;

const readsOf = (who: string) => writesOn(live.exchange, { who, leaving: () => undefined });
const outcomeIn = ({ outcome, problems }: Awaited<ReturnType<typeof placeOrder>>) =>
  problems.map(({ code, message }) => `${code}: ${message}`)[0] ?? outcome;

interface Terms {
  readonly category: Category;
  readonly qty: string;
  readonly price: string;
  readonly who?: string;
  readonly account?: AccountName;
  readonly dryRun?: boolean;
}
const buy = async (clientOid: string, { who = "token:a", account = "classic", ...terms }: Terms) =>
  outcomeIn(
    await live.during(
      placeOrder(readsOf(who), live.account(account), {
        symbol: "ETHUSDT",
        side: "buy",
        orderType: "limit",
        clientOid,
        ...terms,
      }),
    ),
  );
const replace = async (clientOid: string, newClientOid: string, { who = "token:a", account = "classic", ...terms }: Terms) => {
  const change = { symbol: "ETHUSDT", clientOid, ...(account === "classic" && { newClientOid }), ...terms };
  return outcomeIn(await live.during(modifyOrder(readsOf(who), live.account(account), change)));
};

/** The best bid: at the same price another account's sell meets a user's order before the exchange's own liquidity. */
const bestBid = async (category: Category): Promise<string> => {
  const ticker = await live.during(live.reads().loaders.marketTicker(category, "ETHUSDT"));
  if (!ticker?.bid1Price) throw new Error("no price");
  return ticker.bid1Price;
};
/** Another account sells so much to the order at this price. */
const fill = async (category: Category, price: string, qty: string): Promise<void> => {
  const sell = { category, symbol: "ETHUSDT", side: "sell", orderType: "limit", timeInForce: "ioc", qty, price } as const;
  expect(outcomeIn(await live.during(placeOrder(live.writes(), live.account("main"), sell)))).toBe("ACCEPTED");
};
const bought = () =>
  plain(
    live.sandbox.world.state.orders
      .fills(UID.classic)
      .filter(({ side }) => side === "buy")
      .reduce((sum, { quantity }) => sum.plus(quantity), exact("0")),
  );
const open = () => [...live.sandbox.world.state.orders.open(UID.classic)];

describe.each(["SPOT", "USDT-FUTURES"] as const)("a limit per day, when a Classic order on %s is replaced", (category) => {
  it("counts all that the new order can trade: the former one can trade until it is replaced", async () => {
    await start({ accounts: new Map([["classic", { day: eth("1") }]]) });
    const price = await bestBid(category);
    expect(await buy("first", { category, qty: "0.6", price })).toBe("ACCEPTED");
    const refused = /0\.6 are used, and this adds 0\.5/;
    expect(await replace("first", "second", { category, qty: "0.5", price: "2000", dryRun: true })).toMatch(refused);
    expect(await replace("first", "second", { category, qty: "0.5", price: "2000" })).toMatch(refused);
    live.sandbox.faults.add({ endpoint: REPLACING[category], fault: { kind: "latency", delayMs: 100 }, times: 1 });
    const replaced = modifyOrder(readsOf("token:a"), live.account("classic"), {
      ...{ category, symbol: "ETHUSDT", clientOid: "first", newClientOid: "second", qty: "0.4", price },
    });
    await live.pass(50);
    const sell = { uid: UID.main, category, symbol: "ETHUSDT", side: "sell", orderType: "limit", timeInForce: "ioc" } as const;
    live.sandbox.world.orders.place({ ...sell, price: exact(price), quantity: exact("0.5") });
    expect(bought()).toBe("0.5");
    expect(outcomeIn(await live.during(replaced))).toBe("ACCEPTED");
    await fill(category, price, "0.4");
    expect(bought()).toBe("0.9");
    expect(await buy("more", { category, qty: "0.01", price: "2000" })).toMatch(/1 are used, and this adds 0\.01/);
  });

  it("counts a new order as a whole in the place of one that it has not counted", async () => {
    await start({ clients: new Map([["token:b", { day: eth("1") }]]) });
    expect(await buy("theirs", { category, qty: "0.9", price: "2000" })).toBe("ACCEPTED");
    expect(await replace("theirs", "taken", { category, qty: "0.9", price: "1999", who: "token:b" })).toBe("ACCEPTED");
    expect(await buy("more", { category, qty: "0.2", price: "2000", who: "token:b" })).toMatch(
      /0\.9 are used, and this adds 0\.2/,
    );
  });
});

describe("a limit per day, when a spot order has an attached take-profit or stop-loss", () => {
  const sell = async (clientOid: string, exits: object) => {
    const order = { category: "SPOT", symbol: "ETHUSDT", side: "sell", orderType: "limit", qty: "0.4", price: "9000" } as const;
    return outcomeIn(
      await live.during(placeOrder(readsOf("token:a"), live.account("classic"), { ...order, clientOid, ...exits })),
    );
  };

  it("counts what buys back coins that were sold, and not what sells bought ones", async () => {
    await start({ accounts: new Map([["classic", { day: eth("1") }]]) });
    const exits = { takeProfit: { triggerPrice: "1500" }, stopLoss: { triggerPrice: "9500" } };
    expect(await sell("both", exits)).toMatch(/0 are used, and this adds 1\.2/);
    expect(await sell("one", { takeProfit: exits.takeProfit })).toBe("ACCEPTED");
    expect(await sell("more", {})).toMatch(/0\.8 are used, and this adds 0\.4/);
    const bought = { category: "SPOT", qty: "0.2", price: "2000" } as const;
    expect(await buy("bought", { ...bought, ...{ takeProfit: { triggerPrice: "9000" } } })).toBe("ACCEPTED");
  });
});

describe("a limit per day of another client", () => {
  it("counts what buys back, of an order in the place of one that it has not counted", async () => {
    await start({ clients: new Map([["token:b", { day: eth("1") }]]) });
    const order = { category: "SPOT", symbol: "ETHUSDT", side: "sell", orderType: "limit", qty: "0.6", price: "9000" } as const;
    const placed = placeOrder(readsOf("token:a"), live.account("classic"), { ...order, clientOid: "theirs" });
    expect(outcomeIn(await live.during(placed))).toBe("ACCEPTED");
    const change = {
      category: "SPOT",
      symbol: "ETHUSDT",
      clientOid: "theirs",
      newClientOid: "taken",
      qty: "0.6",
      price: "9001",
    } as const;
    const exit = { takeProfit: { triggerPrice: "1500" } };
    const changed = modifyOrder(readsOf("token:b"), live.account("classic"), { ...change, ...exit });
    expect(outcomeIn(await live.during(changed))).toMatch(/0 are used, and this adds 1\.2/);
  });
});

describe("a limit on what is open", () => {
  it.each(["SPOT", "USDT-FUTURES"] as const)("counts an order on %s once that is replaced again and again", async (category) => {
    await start({ accounts: new Map([["classic", { open: eth("1") }]]) });
    expect(await buy("o-0", { category, qty: "1", price: "2000" })).toBe("ACCEPTED");
    for (const at of [1, 2, 3]) {
      await live.pass(6_000);
      expect(await replace(`o-${at - 1}`, `o-${at}`, { category, qty: "1", price: `${2000 - at}` })).toBe("ACCEPTED");
    }
    expect(open().map(({ clientOid }) => clientOid)).toEqual(["o-3"]);
    expect(await replace("o-3", "o-4", { category, qty: "1.01", price: "2000" })).toMatch(/1 are used, and this adds 0\.01/);
  });

  it("counts an order that is filled while orders and positions are read", async () => {
    await start({ accounts: new Map([["main", { open: eth("0.5") }]]) });
    const category = "USDT-FUTURES";
    const price = await bestBid(category);
    // At the exchange itself, so that the gateway knows it from the lists alone.
    const placed = { uid: UID.main, category, symbol: "ETHUSDT", side: "buy", orderType: "limit" } as const;
    live.sandbox.world.orders.place({ ...placed, price: exact(price), quantity: exact("0.4") });
    live.sandbox.faults.add({ endpoint: "openOrders", fault: { kind: "latency", delayMs: 500 }, times: 1 });
    const order = { category, symbol: "ETHUSDT", side: "buy", orderType: "limit", qty: "0.2", price: "2000" } as const;
    const next = placeOrder(readsOf("token:a"), live.account("main"), { ...order, clientOid: "next" });
    await live.pass(200);
    const sell = { ...order, side: "sell", timeInForce: "ioc", qty: "0.4", price } as const;
    expect(outcomeIn(await live.during(placeOrder(live.writes(), live.account("classic"), sell)))).toBe("ACCEPTED");
    expect(outcomeIn(await live.during(next))).toMatch(/0\.4 are used, and this adds 0\.2/);
  });
});

describe("a client's limit on what is open", () => {
  const limited = { clients: new Map([["token:a", { open: money("400") }]]) };
  const order = { category: "SPOT", qty: "0.1", price: "2000" } as const;
  const OPEN_200 = /within 400 USDT open \(clients\.token:a\.open\.value\): 200 are used/;

  it.each(["SPOT", "USDT-FUTURES"] as const)(
    "counts the orders that replaced its own on %s, whoever replaced them",
    async (category) => {
      await start(limited);
      expect(await buy("one", { ...order, category })).toBe("ACCEPTED");
      await live.pass(6_000);
      expect(await replace("one", "two", { ...order, category, price: "1999" })).toBe("ACCEPTED");
      await live.pass(6_000);
      // Without limits of its own.
      expect(await replace("two", "three", { ...order, category, who: "token:desk" })).toBe("ACCEPTED");
      await live.pass(6_000);
      expect(open().map(({ clientOid }) => clientOid)).toEqual(["three"]);
      expect(await buy("another", { ...order, category, qty: "0.11" })).toMatch(OPEN_200);
      expect(await buy("beside", { ...order, category })).toBe("ACCEPTED");
    },
  );

  it("counts the order that its trigger has placed", async () => {
    await start(limited);
    const { bid1Price } = (await live.during(live.reads().loaders.marketTicker("SPOT", "ETHUSDT"))) ?? {};
    const triggerPrice = plain(exact(bid1Price ?? "0").minus("0.05"));
    const waits = { ...order, symbol: "ETHUSDT", side: "buy", orderType: "limit", triggerPrice } as const;
    expect(outcomeIn(await live.during(placeOrder(readsOf("token:a"), live.account("classic"), waits)))).toBe("ACCEPTED");
    for (let second = 0; second < 600 && open().length === 0; second++) {
      await live.pass(1_000);
      live.sandbox.world.advance();
    }
    expect(open()).toHaveLength(1);
    await live.pass(6_000);
    expect(await buy("another", { ...order, qty: "0.11" })).toMatch(OPEN_200);
    expect(await buy("others", { ...order, qty: "0.11", who: "token:b" })).toBe("ACCEPTED");
  });

  it("still knows them after a restart", async () => {
    await start(limited, newFile());
    await buy("one", order);
    await replace("one", "two", { ...order, price: "1999" });
    await replace("two", "three", { ...order, who: "token:desk" });
    await live.pass(6_000);
    await live.restart();
    await live.pass(10_000);
    expect(await buy("another", { ...order, qty: "0.11" })).toMatch(OPEN_200);
  });

  it("holds when another client makes its order larger", async () => {
    const clients = new Map([...limited.clients, ["token:b", { open: money("1000") }] as const]);
    for (const account of ["classic", "main"] as const) {
      await start({ clients });
      expect(await buy("one", { ...order, account })).toBe("ACCEPTED");
      await live.pass(6_000);
      expect(await replace("one", "two", { ...order, account, qty: "0.21", who: "token:b" })).toMatch(OPEN_200);
      if (account === "classic") await live.close();
    }
  });

  it("counts an order from elsewhere that the client has changed", async () => {
    for (const account of ["classic", "main"] as const) {
      await start(limited);
      expect(await buy("foreign", { ...order, account, who: "token:desk" })).toBe("ACCEPTED");
      await live.pass(6_000);
      expect(await replace("foreign", "mine", { ...order, account, qty: "0.11" })).toBe("ACCEPTED");
      await live.pass(6_000);
      expect(await buy("more", { ...order, account })).toMatch(/220 are used, and this adds 200/);
      if (account === "classic") await live.close();
    }
  });
});
