import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readLimitsFile } from "../../src/config/ruleFiles.js";

const folder = mkdtempSync(join(tmpdir(), "limits-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "limits.json");

const read = (content: unknown, mode = 0o600) => {
  writeFileSync(path, JSON.stringify(content));
  chmodSync(path, mode);
  return readLimitsFile(path);
};
const ofMain = (limits: unknown) => read({ accounts: { main: limits } });

describe("the file of limits", () => {
  it("is read into maps, with categories in the exchange's words", () => {
    const file = read({
      accounts: {
        "*": { categories: ["SPOT", "USDT_FUTURES"], symbols: ["btcusdt"], order: { value: "1", coins: { BTC: "0.5" } } },
      },
      clients: { "token:a1": { ordersPerSecond: 3, priceBand: "0.01", open: {}, day: { value: "9" } } },
    });
    const none = new Map();
    expect(file).toEqual({
      content: {
        accounts: new Map([
          [
            "*",
            {
              categories: new Set(["SPOT", "USDT-FUTURES"]),
              symbols: new Set(["BTCUSDT"]),
              order: { value: "1", coins: new Map([["BTC", "0.5"]]) },
            },
          ],
        ]),
        clients: new Map([
          ["token:a1", { ordersPerSecond: 3, priceBand: "0.01", open: { coins: none }, day: { value: "9", coins: none } }],
        ]),
      },
    });
  });

  it.each([
    [{ order: { value: 5 } }, '.accounts.main.order.value must be decimal text such as "0.5"'],
    [{ order: { value: "-5" } }, '.accounts.main.order.value must be decimal text of 0 or more, such as "0.5"'],
    [{ order: { coins: { btc: "1" } } }, ".accounts.main.order.coins.btc"],
    [{ order: "1" }, ".accounts.main.order must be {value?, coins?}"],
    [{ categories: ["FUTURES"] }, ".accounts.main.categories[0] must be one of SPOT, MARGIN, USDT_FUTURES"],
    [{ symbols: "BTCUSDT" }, ".accounts.main.symbols must be a list of symbols"],
    [{ ordersPerSecond: 0.5 }, ".accounts.main.ordersPerSecond must be a whole number from 0 to 10000"],
    [{ perOrder: {} }, ".accounts.main"],
    [[], ".accounts.main must be {categories?, symbols?, priceBand?, ordersPerSecond?, order?, open?, day?}"],
  ])("names what is wrong with %j", (limits, says) => {
    const file = ofMain(limits);
    expect("mistakes" in file && file.mistakes.join("; ")).toContain(says);
  });

  it("names an invalid client and an invalid account", () => {
    const file = read({ accounts: { "no name": {} }, clients: { alice: {} } });
    expect("mistakes" in file && file.mistakes.join("; ")).toContain(".accounts.no name");
    expect("mistakes" in file && file.mistakes.join("; ")).toContain(".clients.alice");
  });

  it("may be changed by its owner only", () => {
    const file = read({}, 0o622);
    expect("mistakes" in file && file.mistakes).toEqual([expect.stringContaining("can be changed by other users (mode 622)")]);
  });
});
