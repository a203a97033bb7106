import { type ExecutionResult, execute, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { createContext, type Grants, Rights } from "../../../src/resolvers/index.js";
import { graph as schema } from "../../support/graph.js";
import { sharedGraph } from "../support/sharedGraph.js";

const live = sharedGraph();

const PAYLOAD = "outcome userErrors { code message field }";
/** Every mutation that writes to an account, with an input that lacks only the account. */
const WRITES: Readonly<Record<string, string>> = {
  placeOrder: 'category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "60000"',
  modifyOrder: 'category: SPOT, symbol: "BTCUSDT", by: { orderId: "1" }, qty: "0.001", price: "60000"',
  cancelOrder: 'category: SPOT, symbol: "BTCUSDT", by: { orderId: "1" }',
  placeTpslOrder: 'category: USDT_FUTURES, symbol: "BTCUSDT", planType: POS_LOSS, posSide: LONG, triggerPrice: "1000"',
  placePlanOrder:
    'category: USDT_FUTURES, symbol: "BTCUSDT", side: BUY, qty: "0.01", terms: { trigger: { triggerPrice: "1000" } }',
  modifyPlanOrder: 'category: USDT_FUTURES, symbol: "BTCUSDT", by: { orderId: "1" }, qty: "0.01"',
  placeOrders: 'orders: { category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "60000" }',
  cancelOrders: 'orders: { category: SPOT, symbol: "BTCUSDT", by: { orderId: "1" } }',
  cancelAllOrders: 'category: SPOT, symbol: "BTCUSDT"',
  armDeadMansSwitch: "seconds: 30",
  disarmDeadMansSwitch: "",
  closePositions: "category: USDT_FUTURES",
  adjustPositionMargin: 'category: USDT_FUTURES, symbol: "BTCUSDT", posSide: LONG, amount: "1"',
  setLeverage: 'category: USDT_FUTURES, symbol: "BTCUSDT", leverage: "5"',
  setHoldMode: "holdMode: HEDGE_MODE, category: USDT_FUTURES",
  setMarginMode: 'category: USDT_FUTURES, symbol: "BTCUSDT", marginMode: CROSSED',
  redeemSavings: 'productId: "1", periodType: FLEXIBLE, amount: "1"',
  convert: 'traceId: "1", fromCoin: "USDT", fromAmount: "1", toCoin: "BTC", toAmount: "1", price: "1"',
  withdrawFromSubAccount: 'subUid: "1", coin: "USDT", dest: ON_CHAIN, address: "a", amount: "1"',
  modifySubAccountEmail: 'subUid: "1", email: "a@example.com"',
  upgradeAccount: "",
};
/** They take no account where they are about all of them. */
const HALTS = ["haltTrading", "resumeTrading"];

interface Payload {
  readonly outcome: string | null;
  readonly userErrors: readonly { readonly message: string }[];
}

async function asked(grants: Grants, mutation: string, input: string) {
  const contextValue = createContext(live.exchange, { name: "desk", rights: new Rights(grants), expiresAt: null });
  const document = parse(`mutation { result: ${mutation}(input: { ${input} }) { ${PAYLOAD} } }`);
  const running = Promise.resolve(execute({ schema, document, contextValue })) as Promise<ExecutionResult<{ result: Payload }>>;
  const { data, errors = [] } = await live.while(running);
  return { result: data?.result, errors, calls: contextValue.reads.trace.upstreamCalls };
}

const ALL = { trade: "*", earn: "*", withdraw: "*", broker: "*", admin: "*" } as const;

describe("a write without an account", () => {
  it("is tested here for every mutation", () => {
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort()).toEqual([...Object.keys(WRITES), ...HALTS].sort());
  });

  it.each(Object.keys(WRITES))("is refused where the client sees several, which are named: %s", async (mutation) => {
    const { result, errors, calls } = await asked(ALL, mutation, WRITES[mutation] ?? "");
    expect(errors).toEqual([]);
    expect(result).toEqual({
      outcome: "REJECTED",
      userErrors: [
        {
          code: "BAD_USER_INPUT",
          field: expect.anything(),
          message: "account must be the name of an account: main, classic, broker",
        },
      ],
    });
    expect(calls).toBe(0);
  });

  it("names no account that the client does not see, whatever its scopes are", async () => {
    const { result } = await asked({ trade: ["main"], "read:account": ["broker"] }, "placeOrder", WRITES.placeOrder ?? "");
    expect(result?.userErrors[0]?.message).toBe("account must be the name of an account: main, broker");
  });

  it("goes to the only account that the client sees", async () => {
    const { result, errors } = await asked({ trade: ["classic"] }, "placeOrder", `${WRITES.placeOrder}, dryRun: true`);
    expect(errors).toEqual([]);
    expect(result).toEqual({ outcome: null, userErrors: [] });
  });

  it("is FORBIDDEN without the scope, for one account and for several", async () => {
    for (const accounts of [["classic"], ["classic", "main"]]) {
      const { errors, calls } = await asked({ "read:account": accounts }, "placeOrder", WRITES.placeOrder ?? "");
      expect(errors[0]?.extensions).toMatchObject({ code: "FORBIDDEN", scope: "trade" });
      expect(calls).toBe(0);
    }
  });
});
