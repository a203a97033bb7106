import { describe, expect, it } from "vitest";
import { sharedGraph } from "../support/sharedGraph.js";
import { mutate, w } from "./support/mutate.js";

const live = sharedGraph();

const order = (account: string) => ({
  ...{ account, category: w("SPOT"), symbol: "BTCUSDT", side: w("BUY"), orderType: w("LIMIT"), qty: "0.001" },
  price: "60000",
});

const openOrders = (account: string) =>
  `account(name: "${account}") { openOrders(category: SPOT, symbol: "BTCUSDT") { nodes { orderId price } } }`;

async function listed(account: string): Promise<readonly string[]> {
  const { data } = await live.while(live.answer(`{ ${openOrders(account)} }`));
  return data.account.openOrders.nodes.map(({ orderId }: { orderId: string }) => orderId);
}

describe.each(["main", "classic"])("a query right after a mutation on %s", (account) => {
  it("shows the placed order, and no longer the cancelled one, however fresh the cache is", async () => {
    await listed(account);
    const { orderId } = await mutate(live, "placeOrder", order(account), "orderId");
    expect(await listed(account)).toContain(orderId);
    await mutate(live, "cancelOrder", { account, category: w("SPOT"), symbol: "BTCUSDT", by: { orderId } });
    expect(await listed(account)).not.toContain(orderId);
  });
});

describe("two mutations in one operation", () => {
  it("see each other's effect in their own payloads", async () => {
    const place = `placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT,
      qty: "0.001", price: "60000", clientOid: "same-operation" }) { outcome order { price } }`;
    const modify = `modifyOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", by: { clientOid: "same-operation" },
      price: "61000" }) { outcome order { price } }`;
    const { data } = await live.while(live.answer(`mutation { first: ${place} second: ${modify} }`));
    expect(data).toEqual({
      first: { outcome: "ACCEPTED", order: { price: "60000" } },
      second: { outcome: "ACCEPTED", order: { price: "61000" } },
    });
  });
});

describe("a mutation", () => {
  it("shows its own call among those of its operation", async () => {
    const { calls } = await live.while(
      live.answer(`mutation { placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT,
        qty: "0.001", price: "60000" }) { outcome } }`),
    );
    expect(calls.filter((call) => call === "placeOrder")).toHaveLength(1);
  });

  it("leaves an entry in the journal, which is paginated", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const payload = await mutate(live, "placeOrder", order("main"), "clientOid");
      ids.push(payload.journalEntry.id);
    }
    const page = async (after: string | null) => {
      const { data } = await live.while(
        live.answer(
          `query ($after: String) { account(name: "main") { journal(first: 2, after: $after) {
            nodes { id seq mutation endpoint status clientOid parameters reply problem { code } sentTime settledTime }
            pageInfo { endCursor hasNextPage } } } }`,
          { after },
        ),
      );
      return data.account.journal;
    };
    const first = await page(null);
    const second = await page(first.pageInfo.endCursor);
    expect([...first.nodes, ...second.nodes].slice(0, 3).map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    expect(first.nodes[0]).toMatchObject({
      mutation: "placeOrder",
      endpoint: "placeOrder",
      status: "ACCEPTED",
      problem: null,
      sentTime: expect.stringMatching(/Z$/),
    });
  });

  it("of one account is not in the journal of another", async () => {
    await mutate(live, "placeOrder", { ...order("main"), clientOid: "only-main" });
    const { data } = await live.while(live.run('{ account(name: "classic") { journal { nodes { clientOid } } } }'));
    expect(data.account.journal.nodes.map(({ clientOid }: { clientOid: string }) => clientOid)).not.toContain("only-main");
  });
});
