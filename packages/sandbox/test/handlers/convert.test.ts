import { ManualClock } from "@exchange-graph/contract/clock";
import { Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { queryString } from "@exchange-graph/contract/signing";
import { describe, expect, it } from "vitest";
import { fileSandbox } from "../support/fileSandbox.js";
import { credentialOf, signedCall } from "../support/signedCall.js";

const sandbox = await fileSandbox({ clock: new ManualClock(1_767_225_600_000), hasPast: false });

const CLASSIC = credentialOf("classic");
type Prices = readonly [quoted: string, traded: string];

async function convert(toCoin: string): Promise<Prices> {
  const wish = { fromCoin: "USDT", toCoin, fromCoinSize: "100" };
  const quoted = await signedCall(sandbox, CLASSIC, `/api/v2/convert/quoted-price?${queryString(wish)}`);
  const { cnvtPrice, toCoinSize, traceId } = quoted.data as Readonly<Record<string, string>>;
  const body = JSON.stringify({ ...wish, cnvtPrice, toCoinSize, traceId });
  const traded = await signedCall(sandbox, CLASSIC, "/api/v2/convert/trade", { method: "POST", body });
  expect(traded.code).toBe("00000");
  return [cnvtPrice ?? "", (traded.data as { readonly cnvtPrice: string }).cnvtPrice];
}

describe("a conversion", () => {
  it("returns the quoted price rounded to eight decimals, not truncated", async () => {
    const prices: Prices[] = [];
    for (const coin of ["BTC", "ETH", "SOL", "XRP", "DOGE", "ADA", "LTC", "LINK"]) prices.push(await convert(coin));
    expect(prices.map(([, traded]) => traded)).toEqual(
      prices.map(([quoted]) => plain(exact(quoted).round(8, Exact.roundHalfUp))),
    );
    expect(prices.some(([quoted, traded]) => plain(truncated(exact(quoted), 8)) !== traded)).toBe(true);
  });
});
