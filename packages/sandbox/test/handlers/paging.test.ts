import { ManualClock } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PromisedCredential } from "../../src/credentials.js";
import { numberedPage, pageBelow, within } from "../../src/handlers/paging.js";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { refusalOf } from "../support/refusal.js";
import { credentialOf, signedCall } from "../support/signedCall.js";

const NOW = 1_767_225_600_000;
const DAY_MS = 86_400_000;

describe("a page below an id", () => {
  const rows = ["30", "20", "10"].map((id) => ({ id }));
  const page = (before: string | undefined, limit: number | undefined) => {
    const { rows: found, lastId } = pageBelow(rows, ({ id }) => id, before, limit);
    return [found.map(({ id }) => id).join(), lastId];
  };

  it("has the older rows, at most as many as requested", () => {
    expect([page(undefined, 2), page("20", 2), page("25", 2), page("10", 2)]).toEqual([
      ["30,20", "20"],
      ["10", "10"],
      ["20,10", "10"],
      ["", undefined],
    ]);
  });

  it("compares ids as numbers, whatever their length", () => {
    expect([page("9", 3), page("100", 3)]).toEqual([
      ["", undefined],
      ["30,20,10", "10"],
    ]);
  });

  it("refuses an id that is none", () => {
    expect([refusalOf(() => page("first", 2)), refusalOf(() => page("1".repeat(20), 2))]).toEqual(["40700", "40700"]);
  });
});

describe("a numbered page", () => {
  it("counts from 1 and is short or empty at the end", () => {
    const of = (pageNo: number) => numberedPage([1, 2, 3, 4, 5], { pageNo, pageSize: 2 });
    expect([of(1), of(3), of(4)]).toEqual([[1, 2], [5], []]);
  });
});

describe("a range", () => {
  it("includes both its ends", () => {
    expect(within([1, 2, 3, 4], { startTime: 2, endTime: 3 }, (time) => time)).toEqual([2, 3]);
  });
});

describe("the paged lists of the sandbox", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ clock: new ManualClock(NOW), enforceLimits: false });
  });
  afterAll(() => sandbox.close());

  const read = async (account: PromisedCredential["name"], target: string): Promise<Readonly<Record<string, unknown>>> => {
    const { code, data } = await signedCall(sandbox, credentialOf(account), target);
    expect([target, code]).toEqual([target, "00000"]);
    return data as Readonly<Record<string, unknown>>;
  };

  /** Reads every page by the id that each one ends with. */
  async function byEndId(
    account: PromisedCredential["name"],
    target: string,
    list: string,
    id: string,
    end = "endId",
  ): Promise<readonly string[][]> {
    const pages: string[][] = [];
    for (let below = ""; ; ) {
      const data = await read(account, `${target}&idLessThan=${below}`);
      const rows = (data[list] ?? []) as readonly Readonly<Record<string, unknown>>[];
      if (rows.length === 0) return pages;
      pages.push(rows.map((row) => String(row[id])));
      if (data.hasNextPage === false) return pages;
      below = String(data[end]);
    }
  }

  const RANGE = `startTime=${NOW - 88 * DAY_MS}&endTime=${NOW}`;

  it.each([
    ["shark-fin assets, held", "main", "/api/v2/earn/sharkfin/assets?status=subscribed&limit=100", "resultList", "productId"],
    ["shark-fin assets, settled", "classic", "/api/v2/earn/sharkfin/assets?status=settled&limit=100", "resultList", "productId"],
    ["shark-fin records", "main", "/api/v2/earn/sharkfin/records?type=interest&limit=100", "resultList", "orderId"],
    ["shark-fin offers", "main", "/api/v2/earn/sharkfin/product?coin=USDT", "resultList", "productId"],
    ["savings assets", "main", "/api/v2/earn/savings/assets?periodType=fixed", "resultList", "orderId"],
    ["savings records", "main", "/api/v2/earn/savings/records?periodType=flexible&limit=100", "resultList", "orderId"],
    ["conversions", "classic", `/api/v2/convert/convert-record?${RANGE}`, "dataList", "id"],
    [
      "plans of one moment",
      "classic",
      "/api/v2/mix/order/orders-plan-pending?productType=usdt-futures&planType=profit_loss&limit=1",
      "entrustedList",
      "orderId",
    ],
    ["sub-accounts' withdrawals", "broker", "/api/v2/broker/subaccount-withdrawal?", "resultList", "orderId"],
    ["sub-accounts", "broker", "/api/v2/broker/account/subaccount-list?limit=10", "subList", "subUid"],
  ] as const)("have three pages or more of %s, each row once and newest first", async (_, account, target, list, id) => {
    const pages = await byEndId(account, target, list, id, list === "subList" ? "idLessThan" : "endId");
    expect(pages.length).toBeGreaterThanOrEqual(3);
    const ids = pages.flat();
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it("have three pages of a hundred closed positions within thirty days, each once, and each adds up", async () => {
    const ids: string[] = [];
    const target = `/api/v3/position/history-position?category=USDT-FUTURES&startTime=${NOW - 30 * DAY_MS}&endTime=${NOW}`;
    let pages = 0;
    for (let cursor: unknown = ""; cursor !== null; pages++) {
      const { list, cursor: next } = await read("main", `${target}&cursor=${String(cursor)}`);
      for (const row of list as readonly Readonly<Record<string, string>>[]) {
        ids.push(row.positionId ?? "");
        const sum = ["cumRealisedPnl", "totalFunding", "openFeeTotal", "closeFeeTotal"].map((key) => exact(row[key] ?? ""));
        expect(row.netProfit).toBe(plain(sum.reduce((total, part) => total.plus(part))));
      }
      cursor = next;
    }
    // The empty page at the end says that there is no more.
    expect(pages).toBeGreaterThanOrEqual(4);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it("have three pages or more of a hundred past loans, each row once and newest first", async () => {
    const ids: string[] = [];
    for (let pageNo = 1; pageNo <= 4; pageNo++) {
      const rows = await read("main", `/api/v2/earn/loan/borrow-history?${RANGE}&pageSize=100&pageNo=${pageNo}`);
      expect((rows as unknown as readonly unknown[]).length).toBe(pageNo < 4 ? 100 : 30);
      ids.push(...(rows as unknown as readonly { readonly orderId: string }[]).map(({ orderId }) => orderId));
    }
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it.each([
    ["loanCoin=USDC", "loanCoin", "USDC"],
    ["pledgeCoin=btc", "pledgeCoin", "BTC"],
    ["status=FORCE", "status", "FORCE"],
  ])("are narrowed by %s", async (filter, key, value) => {
    const rows = (await read(
      "main",
      `/api/v2/earn/loan/borrow-history?${RANGE}&pageSize=100&${filter}`,
    )) as unknown as readonly Readonly<Record<string, string>>[];
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row[key]))).toEqual(new Set([value]));
  });
});
