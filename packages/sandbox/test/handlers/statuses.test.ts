import { ManualClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { INSTRUMENT_STATUSES, instruments } from "@exchange-graph/contract/instrument";
import { describe, expect, it } from "vitest";
import { MAIN_UID } from "../../src/world/opening/initialAccounts.js";
import { fileSandbox } from "../support/fileSandbox.js";
import { refusalOf } from "../support/refusal.js";
import { send } from "../support/signedCall.js";

const NOW = 1_767_225_600_000;
const DAY_MS = 86_400_000;
const clock = new ManualClock(NOW);

const sandbox = await fileSandbox({ clock, hasPast: false });

const listed = async (category: string, symbol?: string) => {
  const { data } = await send(
    sandbox.url,
    `${instruments.path}?category=${category}${symbol === undefined ? "" : `&symbol=${symbol}`}`,
  );
  return instruments.data.decode(data);
};
const oneOf = async (category: string, symbol: string) => (await listed(category, symbol))[0];

/** The code that an order in a contract is refused with, or `accepted`. */
function codeOf(category: "USDT-FUTURES" | "USDC-FUTURES", symbol: string, reduceOnly = false): string {
  const { instrument } = sandbox.world.state.markets.of(category, symbol).listing;
  const quantity = exact(instrument.minQuantity).times("1000");
  const order = { uid: MAIN_UID, category, symbol, side: "buy", orderType: "market", reduceOnly, quantity } as const;
  return refusalOf(() => sandbox.world.orders.place(order));
}

describe("the instruments", () => {
  it("are in every status, with the times that go with it", async () => {
    const all = [...(await listed("USDT-FUTURES")), ...(await listed("USDC-FUTURES"))];
    expect(new Set(all.map((row) => ("status" in row ? row.status : undefined)))).toEqual(new Set(INSTRUMENT_STATUSES));
    expect(await oneOf("USDT-FUTURES", "TRXUSDT")).toMatchObject({ status: "listed", launchTime: NOW + 12 * DAY_MS });
    expect(await oneOf("USDT-FUTURES", "DOTUSDT")).toMatchObject({ status: "maintain", maintainTime: NOW - DAY_MS });
    const leaving = { status: "limit_open", limitOpenTime: NOW - 3 * DAY_MS, offTime: NOW + 25 * DAY_MS };
    expect(await oneOf("USDT-FUTURES", "SHIBUSDT")).toMatchObject(leaving);
    expect(await oneOf("USDC-FUTURES", "DOGEPERP")).toMatchObject({ status: "offline", offTime: NOW - 40 * DAY_MS });
  });

  it("say the same in Classic's words", async () => {
    const { data } = await send(sandbox.url, "/api/v2/mix/market/contracts?productType=USDT-FUTURES");
    const rows = data as readonly { readonly symbol: string; readonly symbolStatus: string; readonly launchTime: string }[];
    const found = (symbol: string) => rows.find((row) => row.symbol === symbol);
    expect(found("TRXUSDT")).toMatchObject({ symbolStatus: "listed", launchTime: String(NOW + 12 * DAY_MS) });
    expect(found("DOTUSDT")).toMatchObject({ symbolStatus: "maintain", maintainTime: String(NOW - DAY_MS) });
    expect(found("BTCUSDT")).toMatchObject({ symbolStatus: "normal", launchTime: "", maintainTime: "", offTime: "-1" });
  });

  it("take no order that their status does not allow", () => {
    expect(codeOf("USDT-FUTURES", "TRXUSDT")).toBe("25101");
    expect(codeOf("USDT-FUTURES", "DOTUSDT")).toBe("25101");
    expect(codeOf("USDC-FUTURES", "XRPPERP")).toBe("25101");
    expect(codeOf("USDC-FUTURES", "DOGEPERP")).toBe("25101");
    expect(codeOf("USDT-FUTURES", "SHIBUSDT")).toBe("25101");
    expect(codeOf("USDT-FUTURES", "SHIBUSDT", true)).not.toBe("25101");
    expect(codeOf("USDC-FUTURES", "LTCPERP")).not.toBe("25101");
    expect(codeOf("USDC-FUTURES", "LTCPERP", true)).toBe("25101");
  });

  it("are launched and delisted when their time comes", async () => {
    clock.advance(12 * DAY_MS);
    expect(await oneOf("USDT-FUTURES", "TRXUSDT")).toMatchObject({ status: "online" });
    expect(codeOf("USDT-FUTURES", "TRXUSDT")).not.toBe("25101");
    clock.advance(13 * DAY_MS);
    expect(await oneOf("USDT-FUTURES", "SHIBUSDT")).toMatchObject({ status: "offline" });
  });
});
