import { exact, plain } from "@exchange-graph/contract/decimal";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedGraph } from "../support/sharedGraph.js";
import { type Input, mutate, sentBy, w } from "./support/mutate.js";

const live = sharedGraph();

const place = (input: Input) => mutate(live, "placeOrder", input);

describe.each(["main", "classic"] as const)("in one-way mode on %s", (account) => {
  const market = { account, category: w("COIN_FUTURES"), symbol: "XRPUSD" };
  const order = { ...market, orderType: w("MARKET"), qty: "10" };
  const closing = { side: w("SELL"), posSide: w("LONG") };

  it("an order that closes the position on its side opens none on the other", async () => {
    expect((await place({ ...order, side: w("BUY"), posSide: w("LONG") })).outcome).toBe("ACCEPTED");
    const closed = await place({ ...order, ...closing, qty: "30" });
    expect(sentBy(closed)).toMatchObject({ side: "sell", reduceOnly: "yes" });
    live.nextMinute();
    const query = `{ account(name: "${account}") { positions(category: COIN_FUTURES, symbol: "XRPUSD") { posSide } } }`;
    expect((await live.while(live.run(query))).data.account.positions).toEqual([]);
    const { userErrors } = await place({ ...order, ...closing });
    expect(userErrors).toMatchObject([{ message: expect.stringContaining("No position to close") }]);
    expect((await place({ ...order, side: w("SELL"), posSide: w("SHORT"), dryRun: true })).request.body).not.toHaveProperty(
      "reduceOnly",
    );
  });

  it("a trigger order that closes the position on its side is sent as reduce-only", async () => {
    const trigger = { ...market, qty: "10", terms: { trigger: { triggerPrice: "0.5" } }, dryRun: true };
    const { request } = await mutate(live, "placePlanOrder", { ...trigger, ...closing });
    expect(request.body).toMatchObject({ side: "sell", reduceOnly: "yes" });
  });
});

describe.each(["main", "classic"] as const)("in hedge mode on %s", (account) => {
  const perp = { account, category: w("USDC_FUTURES"), symbol: "BTCPERP", orderType: w("MARKET"), qty: "0.01" };
  const sizes = async (): Promise<Readonly<Record<string, string>>> => {
    const query = `{ account(name: "${account}") { positions(category: USDC_FUTURES, symbol: "BTCPERP") { posSide qty } } }`;
    const { data } = await live.while(live.run(query));
    return Object.fromEntries(data.account.positions.map(({ posSide, qty }: { posSide: string; qty: string }) => [posSide, qty]));
  };
  const [long, short] = [{ posSide: w("LONG") }, { posSide: w("SHORT") }];
  const [buy, sell] = [{ side: w("BUY") }, { side: w("SELL") }];

  /** Quantities that this test has added to the positions. */
  const held = async () => {
    const now = await sizes();
    const grown = (["LONG", "SHORT"] as const).map((side) => [side, plain(exact(now[side] ?? "0").minus(atFirst[side] ?? "0"))]);
    return Object.fromEntries(grown);
  };
  let atFirst: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    const uid = account === "main" ? "8800112233" : "8800112244";
    live.sandbox.world.state.accounts.of(uid).setHoldMode("hedge_mode");
    live.exchange.writes.positionModes.forget(uid);
    atFirst = await sizes();
  });

  it("side and posSide open and close the position that they name", async () => {
    expect((await place({ ...perp, ...buy, ...long })).outcome).toBe("ACCEPTED");
    expect((await place({ ...perp, ...sell, ...short })).outcome).toBe("ACCEPTED");
    live.nextMinute();
    expect(await held()).toEqual({ LONG: "0.01", SHORT: "0.01" });
    const closeLong = await place({ ...perp, ...sell, ...long });
    live.nextMinute();
    expect(await held()).toEqual({ LONG: "0", SHORT: "0.01" });
    const closeShort = await place({ ...perp, ...buy, ...short, reduceOnly: true });
    live.nextMinute();
    expect(await held()).toEqual({ LONG: "0", SHORT: "0" });
    const directions = [closeLong, closeShort].map(sentBy).map(({ side, posSide, tradeSide }) => ({ side, posSide, tradeSide }));
    expect(directions).toEqual(
      account === "main"
        ? [
            { side: "sell", posSide: "long", tradeSide: undefined },
            { side: "buy", posSide: "short", tradeSide: undefined },
          ]
        : [
            { side: "buy", posSide: undefined, tradeSide: "close" },
            { side: "sell", posSide: undefined, tradeSide: "close" },
          ],
    );
  });

  it("an order must name its position, and a reduce-only order cannot open one", async () => {
    expect((await place({ ...perp, ...buy })).userErrors).toMatchObject([
      { code: "BAD_USER_INPUT", field: ["posSide"], message: "posSide must be given: the account holds positions in hedge mode" },
    ]);
    expect((await place({ ...perp, ...buy, ...long, reduceOnly: true })).userErrors).toMatchObject([{ field: ["reduceOnly"] }]);
  });

  it("a take-profit names its position by that account's position side", async () => {
    await place({ ...perp, ...buy, ...long });
    const takeProfit = await mutate(live, "placeTpslOrder", {
      ...{ account, category: w("USDC_FUTURES"), symbol: "BTCPERP", planType: w("POS_PROFIT") },
      ...{ posSide: w("LONG"), triggerPrice: "90000" },
    });
    expect(takeProfit.outcome).toBe("ACCEPTED");
    expect(sentBy(takeProfit)).toMatchObject(account === "main" ? { posSide: "long" } : { holdSide: "long" });
  });
});
