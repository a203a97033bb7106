import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DataSource, RequestReads } from "../../../../src/datasources/index.js";
import { readMarginPairs } from "../../../../src/datasources/reads/queries/reference.js";
import { exchangeOver } from "../../../support/exchangeOver.js";
import { type ScriptedExchange, scriptedExchange } from "../../../support/scriptedExchange.js";

const MARGIN_PAIRS = "/api/v2/margin/currencies";

describe("margin pairs", () => {
  let upstream: ScriptedExchange;
  let exchange: DataSource;
  beforeEach(async () => {
    upstream = await scriptedExchange();
    upstream.on(MARGIN_PAIRS, { data: [] });
  });
  afterEach(async () => {
    await exchange.close();
    await upstream.close();
  });

  it("are asked for with the first account's signature", async () => {
    exchange = exchangeOver(upstream.url);
    await readMarginPairs(new RequestReads(exchange));
    expect(upstream.calls[0]?.headers).toMatchObject({ "access-key": "main-key", "access-sign": expect.any(String) });
  });

  it("are requested without one if no account is configured", async () => {
    exchange = exchangeOver(upstream.url, { accounts: [] });
    await expect(readMarginPairs(new RequestReads(exchange))).resolves.toEqual([]);
    expect(upstream.calls[0]?.headers).not.toHaveProperty("access-key");
  });
});
