import { getOperationAST, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { codeOf } from "../../support/pages.js";
import { sharedGraph } from "../support/sharedGraph.js";

const named = new Map(codeOf("writes").map((text) => [getOperationAST(parse(text))?.name?.value ?? "", text]));

const live = sharedGraph();

const run = async (name: string, variables?: Readonly<Record<string, unknown>>) => {
  const { data } = await live.while(live.answer(named.get(name) ?? "", variables));
  return data;
};

describe("the examples of the page on writing", () => {
  it("are all run here", () => {
    expect([...named.keys()]).toEqual(["PlaceOrder", "PlaceOrders", "DryRun", "Halt", "Arm", "Quote", "Convert", "Journal"]);
  });

  it("place an order, and show what a dry run would send", async () => {
    expect(await run("PlaceOrder")).toMatchObject({ placeOrder: { outcome: "ACCEPTED", userErrors: [] } });
    const { placeOrder } = await run("DryRun");
    expect(placeOrder).toMatchObject({ outcome: null, request: { path: "/api/v3/trade/place-order" }, userErrors: [] });
  });

  it("convert at a quotation as it came", async () => {
    const { account } = await run("Quote");
    const { convert } = await run("Convert", { input: { account: "main", ...account.convertQuote } });
    expect(convert).toMatchObject({ outcome: "ACCEPTED", toAmount: account.convertQuote.toAmount });
  });

  it("read the journal of it all", async () => {
    const { account } = await run("Journal");
    expect(account.journal.nodes.map(({ mutation }: { mutation: string }) => mutation)).toEqual(["convert", "placeOrder"]);
  });

  it("place orders together, each with its own outcome", async () => {
    const { placeOrders } = await run("PlaceOrders");
    const placed = (clientOid: string) => ({ outcome: "ACCEPTED", orderId: expect.any(String), clientOid, userErrors: [] });
    expect(placeOrders).toEqual({ outcome: "ACCEPTED", orders: ["step-1", "step-2"].map(placed), userErrors: [] });
  });

  it("arm a dead man's switch, which the account shows", async () => {
    const { armDeadMansSwitch } = await run("Arm");
    expect(armDeadMansSwitch).toMatchObject({
      outcome: "ACCEPTED",
      deadMansSwitch: { seconds: 30, expireTime: expect.any(String) },
    });
    const { data } = await live.while(live.run('{ account(name: "main") { deadMansSwitch { seconds startTime expireTime } } }'));
    expect(data.account.deadMansSwitch).toMatchObject(armDeadMansSwitch.deadMansSwitch);
  });

  it("halt all trading, and cancel open orders", async () => {
    const { haltTrading } = await run("Halt");
    expect(haltTrading).toMatchObject({
      outcome: "ACCEPTED",
      halts: [{ account: null }],
      cancelled: expect.any(Number),
      cancelFailures: [],
    });
  });
});
