import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OverviewDocument } from "../generated/graphql.js";
import { ask } from "../support/ask.js";
import { type Product, servingProduct } from "./product.js";

/** A separate sandbox, and the product configured for it as for a real exchange. */
let sandbox: Sandbox;
let product: Product;
beforeAll(async () => {
  sandbox = await startSandbox();
  product = await servingProduct({
    EXCHANGE_BASE_URL: sandbox.url,
    EXCHANGE_WS_URL: sandbox.wsUrl,
    EXCHANGE_API_KEY: "sandbox-main-key",
    EXCHANGE_API_SECRET: "sandbox-main-secret",
    EXCHANGE_API_PASSPHRASE: "sandboxmain1",
  });
});
afterAll(async () => {
  await product.stop();
  await sandbox.close();
});

describe("a gateway configured with an exchange's address and keys", () => {
  it("shows all parts but one while an endpoint is down, and that one as soon as it is up again", async () => {
    const broken = sandbox.faults.add({
      endpoint: "unifiedLoanDebts",
      fault: { kind: "answer", status: 503, code: "40200", msg: "Server upgrade" },
    });
    const partial = await ask(product.url, OverviewDocument, {});
    expect(partial.errors?.map((error) => [error.path, error.extensions?.code])).toEqual([
      [["main", "loans", "debts"], "EXCHANGE_UNAVAILABLE"],
    ]);
    expect(partial.data.main?.loans.debts).toBeNull();
    sandbox.faults.remove(broken);
    const whole = await ask(product.url, OverviewDocument, {});
    expect(whole.errors).toBeUndefined();
    expect(whole.data.main?.loans.debts).toBeTruthy();
    expect(Object.keys(partial.data)).toEqual(Object.keys(whole.data));
  });

  it("reads it as it would any other, and says whose exchange is behind", async () => {
    expect(product.output()).toContain(`behind it: ${new URL(sandbox.url).host}`);
    const { data, errors } = await ask(product.url, OverviewDocument, {});
    expect(data.accounts).toEqual([expect.objectContaining({ name: "main", mode: "UNIFIED" })]);
    expect(data.main?.loans.ongoing?.length).toBeGreaterThan(0);
    expect([data.classic, data.broker]).toEqual([null, null]);
    expect(errors).toBeUndefined();
  });
});

describe("the first look at an account, over the embedded exchange", () => {
  let embedded: Product;
  beforeAll(async () => {
    embedded = await servingProduct();
  });
  afterAll(async () => {
    await embedded.stop();
  });

  it("shows every part of all three accounts in one query", async () => {
    const { data, errors } = await ask(embedded.url, OverviewDocument, {});
    expect(errors).toBeUndefined();
    expect(data.accounts.map(({ name, mode }) => [name, mode])).toEqual([
      ["main", "UNIFIED"],
      ["classic", "CLASSIC"],
      ["broker", "CLASSIC"],
    ]);
    const { main, classic, broker } = data;
    expect(main?.positionHistory?.edges).toHaveLength(5);
    expect(main?.loans.ongoing?.length).toBeGreaterThan(0);
    expect(main?.loans.debts?.loans.length).toBeGreaterThan(0);
    expect(main?.earn.sharkFin.assets?.nodes).toHaveLength(5);
    expect(main?.earn.sharkFin.records?.nodes).toHaveLength(5);
    expect(classic?.futuresAccounts?.[0]?.assets.length).toBeGreaterThan(0);
    expect(classic?.subAccountFuturesAssets?.[0]?.assets.length).toBeGreaterThan(0);
    expect(broker?.broker.info?.subAccountCount).toBeGreaterThan(0);
    expect(broker?.broker.subAccounts?.edges[0]?.node?.spotAssets?.length).toBeGreaterThan(0);
    expect(data.spotSymbols?.map((row) => row?.symbol).sort()).toEqual(["BTCUSDT", "ETHUSDT", "SOLUSDT"]);
    expect(data.marginPairs).toHaveLength(2);
    expect(data.discountRates?.find((row) => row?.coin === "BTC")?.tiers.at(-1)?.maxAmount).toBeNull();
    expect(data.spotFundFlow?.whale.buyVolume).toMatch(/^\d+(\.\d+)?$/);
  });

  it("pages through closed positions by cursor", async () => {
    const first = (await ask(embedded.url, OverviewDocument, {})).data.main?.positionHistory;
    expect(first?.pageInfo.hasNextPage).toBe(true);
    const second = (await ask(embedded.url, OverviewDocument, { positionsAfter: first?.pageInfo.endCursor ?? null })).data.main
      ?.positionHistory;
    expect(second?.edges).toHaveLength(5);
    const shown = new Set(first?.edges.map(({ node }) => node?.id));
    expect(second?.edges.filter(({ node }) => shown.has(node?.id))).toEqual([]);
  });
});
