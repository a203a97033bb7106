import { buildSchema, execute, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { ANYONE, type Principal, Rights } from "../../../src/resolvers/access/principal.js";
import { createContext, type MutationAuthor } from "../../../src/resolvers/index.js";
import { observeMutations } from "../../../src/resolvers/mutations/observeMutations.js";
import { graph } from "../../support/graph.js";
import { sharedGraph } from "../support/sharedGraph.js";

const live = sharedGraph({ hasPast: false, withdrawals: [] });
type EndedMutation = Parameters<MutationAuthor["ended"]>[0];

const READER: Principal = { ...ANYONE, rights: new Rights({ "read:account": "*" }) };

/** Events recorded for the mutations of one document. */
async function mutationsOf(document: string, principal: Principal = ANYONE): Promise<readonly EndedMutation[]> {
  const ended: EndedMutation[] = [];
  const contextValue = createContext(live.exchange, principal, undefined, {
    who: null,
    leaving: () => undefined,
    ended: (mutation) => ended.push(mutation),
  });
  await live.while(Promise.resolve(execute({ schema: graph, document: parse(`mutation { ${document} }`), contextValue })));
  return ended;
}

const order = (more = "") =>
  `placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: MARKET, quoteQty: "50" ${more} })`;
const ABOUT_ORDER = { category: "SPOT", symbol: "BTCUSDT", side: "buy" };
const NOTHING_SENT = { write: null, withoutJournal: false, upstreamCalls: 0 };

describe("the event of a mutation says", () => {
  it("that it was accepted, with its account, number in the journal and calls", async () => {
    await mutationsOf(`a: ${order("dryRun: true")} { outcome }`);
    const [first] = await mutationsOf(`${order('clientOid: "received-1"')} { journalEntry { id } order { orderId } }`);
    expect(first).toEqual({
      mutation: "placeOrder",
      account: "main",
      subject: { ...ABOUT_ORDER, clientOid: "received-1" },
      outcome: "ACCEPTED",
      codes: [],
      write: expect.stringMatching(/^\d+$/),
      withoutJournal: false,
      upstreamCalls: 1,
    });
  });

  it("that it was a dry run", async () => {
    expect(await mutationsOf(`${order("dryRun: true")} { outcome }`)).toMatchObject([
      { outcome: "DRY_RUN", codes: [], write: null },
    ]);
  });

  it("why it was refused", async () => {
    const [nobodys, elsewhere] = await mutationsOf(`
      a: cancelOrder(input: { account: "nobody", category: SPOT, symbol: "BTCUSDT", by: { orderId: "1" } }) { outcome }
      b: withdrawFromSubAccount(input: {
        account: "broker", subUid: "1", coin: "USDT", dest: ON_CHAIN, address: "TQ4thief", amount: "2"
      }) { outcome }`);
    expect(nobodys).toEqual({
      mutation: "cancelOrder",
      account: "nobody",
      subject: { category: "SPOT", symbol: "BTCUSDT", orderId: "1" },
      outcome: "REJECTED",
      codes: ["BAD_USER_INPUT"],
      ...NOTHING_SENT,
    });
    expect(elsewhere).toMatchObject({
      account: "broker",
      subject: { coin: "USDT", amount: "2", address: "TQ4thief" },
      outcome: "REJECTED",
      codes: ["FORBIDDEN"],
      ...NOTHING_SENT,
    });
  });

  it("that its client may not do it, and that nothing was sent", async () => {
    expect(await mutationsOf(`${order('clientOid: "received-3"')} { outcome }`, READER)).toEqual([
      {
        mutation: "placeOrder",
        account: "main",
        subject: { ...ABOUT_ORDER, clientOid: "received-3" },
        outcome: "FAILED",
        codes: ["FORBIDDEN"],
        ...NOTHING_SENT,
      },
    ]);
  });

  it("no text that its client can make long", async () => {
    const long = "x".repeat(1_000);
    const [ended] = await mutationsOf(
      `cancelOrder(input: { account: "${long}", category: SPOT, symbol: "${long}", by: { orderId: "${long}" } }) { outcome }`,
    );
    expect(JSON.stringify(ended).length).toBeLessThan(600);
  });
});

it("every mutation of the graph is reported", async () => {
  for (const [name, field] of Object.entries(graph.getMutationType()?.getFields() ?? {})) {
    const ended: EndedMutation[] = [];
    const context = createContext(live.exchange, READER, undefined, {
      who: null,
      leaving: () => undefined,
      ended: (mutation) => ended.push(mutation),
    });
    const call = async () => field.resolve?.({}, { input: { account: "main" } }, context, { fieldName: name } as never);
    await expect(call()).rejects.toThrow();
    expect(ended).toMatchObject([{ mutation: name, outcome: "FAILED", codes: ["FORBIDDEN"] }]);
  }
});

describe("a mutation that does not declare what the audit has of it", () => {
  const graphOf = (subject?: readonly string[]) => {
    const odd = buildSchema("input I { symbol: String } type Query { a: Int } type Mutation { odd(input: I!): Int }");
    Object.assign(odd.getMutationType()?.getFields().odd ?? {}, { extensions: { subject } });
    return odd;
  };

  it.each([undefined, ["price"], ["__proto__"]])("does not build: %j", (subject) => {
    expect(() => observeMutations(graphOf(subject))).toThrow("odd does not declare which arguments of its input the audit has");
  });

  it("builds if it does", () => {
    expect(() => observeMutations(graphOf(["symbol"]))).not.toThrow();
  });
});
