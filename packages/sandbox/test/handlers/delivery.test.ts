import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { SocketClient } from "../sockets/support/client.js";
import { fileSandbox } from "../support/fileSandbox.js";
import { credentialOf, type Reply, signedCall } from "../support/signedCall.js";

const DELIVERY = Date.UTC(2026, 2, 27, 8);
const clock = new ManualClock(Date.UTC(2026, 0, 15));
const sandbox = await fileSandbox({ clock, hasPast: false });

const call = (account: "main" | "classic", path: string, body?: object): Promise<Reply> =>
  signedCall(sandbox, credentialOf(account), path, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
const UNIFIED = { category: "COIN-FUTURES", symbol: "BTCUSDH26", side: "buy", orderType: "market", qty: "0.01" };
const CLASSIC = {
  ...{ symbol: "BTCUSDH26", productType: "coin-futures", marginMode: "crossed", marginCoin: "BTC" },
  ...{ side: "buy", orderType: "market", size: "0.01" },
};

describe("a contract with a delivery", () => {
  const states = async () => {
    const rows = await Promise.all([
      call("main", "/api/v3/market/instruments?category=COIN-FUTURES&symbol=BTCUSDH26"),
      call("main", "/api/v3/market/tickers?category=COIN-FUTURES&symbol=BTCUSDH26"),
      call("classic", "/api/v2/mix/market/contracts?productType=COIN-FUTURES&symbol=BTCUSDH26"),
    ]);
    const [instrument, ticker, contract] = rows.map(({ data }) => (data as readonly Readonly<Record<string, string>>[])[0]);
    return [instrument?.status, ticker?.deliveryStatus, contract?.symbolStatus];
  };
  const place = async () => [
    (await call("main", "/api/v3/trade/place-order", UNIFIED)).code,
    (await call("classic", "/api/v2/mix/order/place-order", CLASSIC)).code,
  ];

  /** The delivery prices that pushes of a perpetual contract and of this one name. */
  async function deliveredAt(): Promise<readonly string[]> {
    const client = await SocketClient.open(`${sandbox.wsUrl}/v2/ws/public`);
    const prices: string[] = [];
    for (const instId of ["BTCUSD", "BTCUSDH26"]) {
      const args = [{ instType: "COIN-FUTURES", channel: "ticker", instId }];
      expect(await client.say({ op: "subscribe", args }).json()).toMatchObject({ event: "subscribe" });
      const { data } = (await client.json()) as { readonly data: readonly { readonly deliveryPrice: string }[] };
      prices.push(data[0]?.deliveryPrice ?? "");
    }
    client.close();
    return prices;
  }

  it("is traded until then, closes what is open, and is traded no more", async () => {
    expect([await states(), await place()]).toEqual([
      ["online", "delivery_normal", "normal"],
      ["00000", "00000"],
    ]);
    clock.advance(DELIVERY - 1 - clock.now());
    expect(await states()).toEqual(["online", "delivery_normal", "normal"]);
    clock.advance(1);
    expect([await states(), await place()]).toEqual([
      ["offline", "delivery_period", "off"],
      ["25101", "40309"],
    ]);
    const { data } = await call("main", "/api/v3/position/history-position?category=COIN-FUTURES&symbol=BTCUSDH26");
    expect(data).toMatchObject({ list: [{ closeTotalPos: "0.01" }] });
    const { closePriceAvg } = (data as { readonly list: readonly { readonly closePriceAvg: string }[] }).list[0] ?? {};
    clock.advance(60_000);
    expect(await deliveredAt()).toEqual(["0", closePriceAvg]);
  });
});
