import { describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph({ hasLimits: false });

const ask = async (name: string, fields: string) => {
  const { data, calls } = await live.while(live.answer(`{ account(name: "${name}") { ${fields} } }`));
  // Loans of unified accounts have endpoints of their own.
  const of = (endpoint: string) => calls.filter((call) => call.toLowerCase().endsWith(endpoint.toLowerCase())).length;
  return { account: data.account, of };
};

interface Loaned {
  readonly orderId: string;
}

describe.each(["main", "classic"])("loans of %s", (name) => {
  it("are led to by their repayments and reductions, running or ended, in fewer calls than loans", async () => {
    const loan = "loan { __typename orderId loanCoin account { name } ... on LoanOrder { ltv } ... on ClosedLoan { status } }";
    const { account, of } = await ask(
      name,
      `loans { repayments(first: 50) { nodes { orderId loanCoin ${loan} } } reductions(first: 20) { nodes { orderId ${loan} } } }`,
    );
    const events = [...account.loans.repayments.nodes, ...account.loans.reductions.nodes];
    expect(events.length).toBeGreaterThan(3);
    expect(new Set(events.map(({ orderId }: Loaned) => orderId)).size).toBeGreaterThan(2);
    for (const { orderId, loan: found } of events)
      if (found !== null) expect(found).toMatchObject({ orderId, account: { name } });
    expect(events.filter(({ loan: found }) => found !== null).length).toBeGreaterThan(2);
    expect(of("loanOngoing")).toBe(1);
    expect(of("loanHistory")).toBeLessThan(new Set(events.map(({ orderId }: Loaned) => orderId)).size);
  });

  it("lead to their repayments, reductions and terms, of which the loans share each list", async () => {
    const edges =
      "orderId loanCoin pledgeCoin repayments { orderId amount } reductions { orderId } terms { loan { coin } pledge { coin } }";
    const { account, of } = await ask(
      name,
      `loans { ongoing { ${edges} } history(first: 20) { nodes { ${edges} } } repayments(first: 500) { nodes { orderId amount } } }`,
    );
    const loans = [...account.loans.ongoing, ...account.loans.history.nodes];
    const all = account.loans.repayments.nodes;
    for (const { orderId, loanCoin, pledgeCoin, repayments, terms } of loans) {
      expect(repayments).toEqual(all.filter((one: Loaned) => one.orderId === orderId));
      expect(terms).toEqual({ loan: { coin: loanCoin }, pledge: { coin: pledgeCoin } });
    }
    expect(loans.some(({ repayments }) => repayments.length > 0)).toBe(true);
    // The list above, and what the loans share; a call of a later second has another start.
    expect(of("loanRepayments")).toBeLessThan(loans.length / 2);
    expect([of("loanReductions"), of("loanOngoing")]).toEqual([1, 1]);
  });
});

it("one loan's repayments are asked for alone", async () => {
  const { account } = await ask("main", "loans { repayments(first: 1) { nodes { orderId } } }");
  const { orderId } = account.loans.repayments.nodes[0];
  live.nextMinute();
  const { account: again, of } = await ask(
    "main",
    `loans { history(orderId: "${orderId}") { nodes { repayments { orderId } } } ongoing(orderId: "${orderId}") { repayments { orderId } } }`,
  );
  const [loan] = [...again.loans.history.nodes, ...again.loans.ongoing];
  expect(new Set(loan.repayments.map((one: Loaned) => one.orderId))).toEqual(new Set([orderId]));
  expect(of("loanRepayments")).toBe(1);
});

it("savings lead from holdings to their products and back, in one call per list", async () => {
  const holdings = "nodes { productId product { productId coin holdings { productId amount } } amount }";
  const { account, of } = await ask("main", `earn { savings { assets(periodType: FLEXIBLE) { ${holdings} } } }`);
  const { nodes } = account.earn.savings.assets;
  expect(nodes.length).toBeGreaterThan(0);
  for (const { productId, product, amount } of nodes) {
    expect(product.productId).toBe(productId);
    expect(product.holdings).toContainEqual({ productId, amount });
  }
  expect(of("savingsProducts")).toBe(1);
});

it("records of savings lead to their products, with one call", async () => {
  const product = "product { coin periodType period }";
  const { account, of } = await ask(
    "main",
    `earn { savings { records(periodType: FIXED, first: 50) { nodes { productCoin periodType period ${product} } } } }`,
  );
  const { nodes } = account.earn.savings.records;
  expect(nodes.length).toBeGreaterThan(0);
  for (const { productCoin: coin, periodType, period, product } of nodes) expect(product).toEqual({ coin, periodType, period });
  // The products may be cached.
  expect(of("savingsProducts")).toBeLessThanOrEqual(1);
});

it("shark-fin products lead to their offers and back, in one call per subscription coin", async () => {
  const { account: held } = await ask("main", "earn { sharkFin { assets(first: 50) { nodes { productId subscribeCoin } } } }");
  const products: readonly { readonly productId: string; readonly subscribeCoin: string }[] = held.earn.sharkFin.assets.nodes;
  const coins = new Set(products.map(({ subscribeCoin }) => subscribeCoin));
  // The sandbox offers other products than those that its accounts hold.
  const [offered] = products;
  const resultList = [{ productId: offered?.productId, subscribeCoin: offered?.subscribeCoin, period: "7" }];
  const body = JSON.stringify({ code: "00000", msg: "success", requestTime: live.now(), data: { resultList, endId: "" } });
  const fault = { kind: "answer", status: 200, body } as const;
  const rule = live.sandbox.faults.add({ endpoint: "sharkFinOffers", fault });
  live.clock.advance(2 * 3_600_000);
  const { account, of } = await ask(
    "main",
    "earn { sharkFin { assets(first: 50) { nodes { productId offer { productId periodDays holdings { productId } } } } } }",
  );
  live.sandbox.faults.remove(rule);
  live.clock.advance(2 * 3_600_000);
  const nodes: readonly { readonly productId: string; readonly offer: object | null }[] = account.earn.sharkFin.assets.nodes;
  const { productId } = offered ?? { productId: "" };
  expect(nodes.filter(({ offer }) => offer !== null)).toEqual([
    { productId, offer: { productId, periodDays: 7, holdings: [{ productId }] } },
  ]);
  expect(of("sharkFinOffers")).toBeLessThanOrEqual(coins.size);
});

it("conversions lead to the tickers of both coins, with one call", async () => {
  const { account, of } = await ask(
    "main",
    "convertRecords(first: 20) { nodes { fromCoin toCoin fromTicker { symbol } toTicker { symbol } } }",
  );
  const { nodes } = account.convertRecords;
  expect(nodes.length).toBeGreaterThan(1);
  const symbolOf = (coin: string) => (coin === "USDT" ? null : { symbol: `${coin}USDT` });
  for (const { fromCoin, toCoin, fromTicker, toTicker } of nodes)
    expect([fromTicker, toTicker]).toEqual([symbolOf(fromCoin), symbolOf(toCoin)]);
  expect(of("tickers")).toBe(1);
});

it("a broker's withdrawals lead to their sub-accounts, and these to their withdrawals", async () => {
  const { account } = await ask(
    "broker",
    "broker { withdrawals(first: 20) { nodes { orderId subUid subAccount { subUid withdrawals(first: 50) { nodes { orderId subUid } } } } } }",
  );
  const { nodes } = account.broker.withdrawals;
  expect(nodes.length).toBeGreaterThan(0);
  for (const { orderId, subUid, subAccount } of nodes) {
    expect(subAccount.subUid).toBe(subUid);
    expect(subAccount.withdrawals.nodes).toContainEqual({ orderId, subUid });
  }
});

it("futures assets of sub-accounts lead to these, without a call", async () => {
  const { account, of } = await ask(
    "classic",
    "subAccountFuturesAssets(productType: USDT_FUTURES) { subUid subAccount { subUid account { name } } }",
  );
  expect(account.subAccountFuturesAssets.length).toBeGreaterThan(0);
  for (const { subUid, subAccount } of account.subAccountFuturesAssets)
    expect(subAccount).toEqual({ subUid, account: { name: "classic" } });
  expect(of("subAccountList")).toBe(0);
});

describe("the journal", () => {
  const ORDER = 'category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "30000"';
  const write = async (document: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const { data } = await live.while(live.answer(document, variables));
    expect(data.write).toMatchObject({ outcome: "ACCEPTED", userErrors: [] });
    return data.write;
  };
  const PAYLOAD = "outcome userErrors { message } journalEntry { id }";
  const journalOf = async (name: string, fields: string) => {
    live.nextMinute();
    return (await ask(name, `journal(first: 5) { nodes { id mutation ${fields} } }`)).account.journal.nodes;
  };

  it.each(["main", "classic"])("leads from a write of %s to the order that it has placed, and back", async (name) => {
    // With a key of its own, and no clientOid.
    const { journalEntry, order } = await write(
      `mutation { write: placeOrder(input: { account: "${name}", ${ORDER}, idempotencyKey: "own-key-${name}" }) { ${PAYLOAD} order { id orderId } } }`,
    );
    const [entry] = await journalOf(
      name,
      "order { id journalEntry { id } } planOrder { id } conversion { recordId } withdrawal { orderId } redemption { orderId }",
    );
    expect(entry).toEqual({
      ...{ id: journalEntry.id, mutation: "placeOrder", planOrder: null, conversion: null, withdrawal: null, redemption: null },
      order: { id: order.id, journalEntry: { id: journalEntry.id } },
    });
    const cancelled = await write(
      `mutation { write: cancelOrder(input: { account: "${name}", category: SPOT, symbol: "BTCUSDT", by: { orderId: "${order.orderId}" } }) { ${PAYLOAD} } }`,
    );
    const [cancel] = await journalOf(name, "order { id journalEntry { id } }");
    // What has placed it, and not what has cancelled it.
    expect(cancel).toMatchObject({
      id: cancelled.journalEntry.id,
      order: { id: order.id, journalEntry: { id: journalEntry.id } },
    });
  });

  it.each(["main", "classic"])("leads from a write of %s to its trigger order, and back", async (name) => {
    const { journalEntry, planOrder } =
      await write(`mutation { write: placeTpslOrder(input: { account: "${name}", category: USDT_FUTURES,
      symbol: "BTCUSDT", posSide: LONG, planType: LOSS_PLAN, qty: "0.001", triggerPrice: "1000" }) { ${PAYLOAD} planOrder { id } } }`);
    const [entry] = await journalOf(name, "order { id } planOrder { id journalEntry { id } }");
    expect(entry).toMatchObject({
      id: journalEntry.id,
      order: null,
      planOrder: { id: planOrder.id, journalEntry: { id: journalEntry.id } },
    });
  });

  it.each([
    ["classic", "USDT_FUTURES"],
    ["main", "USDT_FUTURES"],
    ["main", "SPOT"],
  ])("leads from a write of %s to a trigger order on %s, and back", async (name, category) => {
    const { journalEntry, planOrder } =
      await write(`mutation { write: placePlanOrder(input: { account: "${name}", category: ${category}, symbol: "BTCUSDT", side: BUY,
      qty: "0.001", terms: { trigger: { triggerPrice: "30000" } } }) { ${PAYLOAD} planOrder { id } } }`);
    const [entry] = await journalOf(name, "planOrder { id journalEntry { id } }");
    expect(entry).toMatchObject({
      id: journalEntry.id,
      planOrder: { id: planOrder.id, journalEntry: { id: journalEntry.id } },
    });
  });

  it("leads from a redemption of savings to its record, and back", async () => {
    const { account } = await ask("main", "earn { savings { assets(periodType: FLEXIBLE, first: 1) { nodes { productId } } } }");
    const [{ productId }] = account.earn.savings.assets.nodes;
    const { journalEntry } = await write(`mutation { write: redeemSavings(input: { account: "main", productId: "${productId}",
      periodType: FLEXIBLE, amount: "1" }) { ${PAYLOAD} } }`);
    const [entry] = await journalOf("main", "redemption { amount journalEntry { id } }");
    expect(entry).toMatchObject({
      id: journalEntry.id,
      redemption: { amount: "1", journalEntry: { id: journalEntry.id } },
    });
  });

  it("leads from a conversion to its record, and back", async () => {
    const terms = "traceId fromCoin fromAmount toCoin toAmount price";
    const { account } = await ask("main", `convertQuote(fromCoin: "USDT", toCoin: "BTC", amount: { from: "100" }) { ${terms} }`);
    const input = { account: "main", ...account.convertQuote };
    const { journalEntry } = await write(`mutation ($input: ConvertInput!) { write: convert(input: $input) { ${PAYLOAD} } }`, {
      input,
    });
    const [entry] = await journalOf("main", "conversion { fromAmount journalEntry { id } }");
    expect(entry).toMatchObject({
      id: journalEntry.id,
      conversion: { fromAmount: "100", journalEntry: { id: journalEntry.id } },
    });
  });

  it("is not led to by an order that was placed elsewhere, and takes no call", async () => {
    const { account } = await ask("main", "orderHistory(category: SPOT, first: 20) { nodes { orderId journalEntry { id } } }");
    expect(account.orderHistory.nodes.length).toBeGreaterThan(5);
    expect(
      account.orderHistory.nodes.filter(({ journalEntry }: { journalEntry: object | null }) => journalEntry !== null).length,
    ).toBeLessThan(5);
  });
});
