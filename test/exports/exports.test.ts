import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { causeOf } from "@exchange-graph/sandbox/world/cause";
import { walletOf } from "@exchange-graph/sandbox/world/ledger";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clients, NO_CLIENTS } from "../../src/access/clients.js";
import { BAD_TOKEN, RIGHTS_CHANGED } from "../../src/access/principal/bearer.js";
import { ANONYMOUS_CLIENT, ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import { BalanceRecords, Curves, historyPathOf } from "../../src/datasources/history/index.js";
import { type Fault, RequestReads } from "../../src/datasources/index.js";
import { storedFlowRows } from "../../src/exports/exporter.js";
import { COLUMNS, EXPORT_KINDS } from "../../src/exports/table.js";
import { type Grants, Rights } from "../../src/resolvers/index.js";
import { recordedPast } from "../e2e/desk/recordedPast.js";
import { eventually } from "../support/eventually.js";
import { type ExportingGateway, exportingGateway } from "./support/exportingGateway.js";
import { fillAt } from "./support/fillAt.js";

let gateway: ExportingGateway;

const granted = (name: string, grants: Grants): [string, ClientPrincipal] => [
  name,
  new ClientPrincipal({ id: `token:${name}`, name, rights: new Rights(grants), expiresAt: null }),
];
const TOKENS = new Map([
  granted("of-main", { "read:account": ["main"] }),
  granted("of-markets", { "read:market": "*" }),
  granted("trader-of-classic", { "read:account": ["main"], trade: ["classic"] }),
]);
/** Ends the tokens of the open connections. */
const ends = new Set<(why: Fault) => void>();
const clients: Clients = {
  ...NO_CLIENTS,
  identify: (token) => (token === undefined ? ANONYMOUS_CLIENT : (TOKENS.get(token) ?? BAD_TOKEN)),
  watch(_token, _principal, end) {
    ends.add(end);
    return () => ends.delete(end);
  },
};

const ask = (query: Readonly<Record<string, string>>, token?: string) =>
  fetch(`${gateway.url}/export?${new URLSearchParams(query)}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
const rowsOf = async (query: Readonly<Record<string, string>>): Promise<readonly Record<string, string | null>[]> => {
  const response = await ask({ format: "jsonl", ...query });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

const iso = (ms: number): string => new Date(ms).toISOString();
/** The end of a day in the past: no row is added to it any more. */
const NOW = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** Shortly after the exchange begins to keep its lists. */
const END = iso(NOW - 88 * DAY_MS);
const RANGE = { from: iso(NOW - 40 * DAY_MS), to: iso(NOW) };

describe("an export", () => {
  beforeAll(async () => {
    gateway = await exportingGateway({ clients, historyPath: historyPathOf(recordedPast(NOW)) });
  }, 60_000);
  afterAll(() => gateway.close());

  it.each([
    ["main", MAIN_UID],
    ["classic", CLASSIC_UID],
  ])("of %s has each execution of the exchange in its range once, in the order of time", async (account, uid) => {
    const rows = await rowsOf({ account, kind: "fills", ...RANGE });
    const kept = gateway.sandbox.world.state.orders
      .fills(uid)
      .filter(({ at }) => at >= NOW - 40 * DAY_MS && at <= NOW)
      .map(({ execId }) => execId);
    expect(kept.length).toBeGreaterThan(100);
    expect(rows.map(({ id }) => id).sort()).toEqual([...kept].sort());
    const places = rows.map(({ time, id }) => `${time} ${id}`);
    expect(places).toEqual([...places].sort());
  });

  it("has every kind with its columns, in both account modes and all categories", async () => {
    /** Both accounts at once, as a client may: each waits for budgets of its own. */
    const ofBoth = <T>(ask: (account: string) => Promise<T>) => Promise.all([ask("main"), ask("classic")]);
    for (const kind of EXPORT_KINDS)
      await ofBoth(async (account) => {
        const response = await ask({ account, kind, from: iso(NOW) });
        const text = await response.text();
        expect([response.status, text.split("\r\n")[0]]).toEqual([200, COLUMNS[kind].join(",")]);
      });
    const [main, classic] = await ofBoth((account) =>
      rowsOf({ account, kind: "orders", ...RANGE, from: iso(NOW - 20 * DAY_MS) }),
    );
    const categories = (rows: typeof main) => new Set(rows.map(({ category }) => category));
    expect(categories(main)).toEqual(new Set(["SPOT", "MARGIN", "USDT_FUTURES", "USDC_FUTURES", "COIN_FUTURES"]));
    expect(categories(classic)).toEqual(new Set(["SPOT", "USDT_FUTURES", "USDC_FUTURES", "COIN_FUTURES"]));
    // An amount is of no use without its coin.
    const byAmount = [...main, ...classic].filter(({ quoteQty }) => quoteQty !== null);
    expect(byAmount.length).toBeGreaterThan(0);
    for (const { symbol, baseCoin, quoteCoin, quoteQty } of byAmount)
      expect([`${baseCoin}${quoteCoin}`, quoteQty]).toEqual([symbol, expect.stringMatching(/^\d+(\.\d+)?$/)]);
    // The accounts have no position by side, and no fee in two coins.
    const empty = COLUMNS.orders.filter((column) => [...main, ...classic].every((row) => !row[column]));
    expect(empty).toEqual(["posSide", "secondFee", "secondFeeCoin"]);
  });

  it("neither loses nor doubles executions of one millisecond, wherever a range ends and another begins", async () => {
    const at = NOW - 5 * DAY_MS;
    const { orders } = gateway.sandbox.world.state;
    for (let number = 0; number < 150; number++) orders.enterFill(fillAt(MAIN_UID, at, number));
    const [from, to] = [iso(at - DAY_MS), iso(at + DAY_MS)];
    const whole = await rowsOf({ account: "main", kind: "fills", from, to });
    expect(whole.filter(({ time }) => time === iso(at))).toHaveLength(150);
    const before = await rowsOf({ account: "main", kind: "fills", from, to: iso(at - 1) });
    const after = await rowsOf({ account: "main", kind: "fills", from: iso(at), to });
    expect([...before, ...after]).toEqual(whole);
    // An interrupted export goes on after the rows that it has.
    const rest = await rowsOf({ account: "main", kind: "fills", from: iso(at), to, skip: "70" });
    expect([...whole.slice(0, before.length + 70), ...rest]).toEqual(whole);
  });

  /** What the graph says about the same range. */
  async function graph(fields: string, from: number, to: number) {
    const headers = { "content-type": "application/json", authorization: "Bearer of-main" };
    const query = `query ($from: DateTime!, $to: DateTime!) { account(name: "main") { ${fields} } }`;
    const body = JSON.stringify({ query, variables: { from: iso(from), to: iso(to) } });
    const { data, errors } = await (await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body })).json();
    expect(errors).toBeUndefined();
    return data.account;
  }
  /** The cells of an object's fields, as they are exported. */
  const cells = (object: object): object =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => {
        const known: unknown = typeof value === "object" && value !== null ? value.value : value;
        return [name, known === null ? null : String(known)];
      }),
    );

  it("of equity has the points, their causes and the gaps that the graph has", async () => {
    const [from, to] = [NOW - 20 * DAY_MS, NOW - 5 * DAY_MS];
    const rows = await rowsOf({ account: "main", kind: "equity", from: iso(from), to: iso(to) });
    const causes = COLUMNS.equity.slice(COLUMNS.equity.indexOf("deposits")).join(" ");
    const { equityHistory } = await graph(
      `equityHistory(from: $from, to: $to, interval: HOUR) { gaps { startTime endTime reason }
        points { time source equity low high samples unrealisedPnl debt marginInUse change { ${causes} } } }`,
      from,
      to,
    );
    expect(equityHistory.points.length).toBeGreaterThan(300);
    expect(rows.filter(({ equity }) => equity !== null)).toMatchObject(
      equityHistory.points.map(({ change, ...point }: { change: object | null }) => cells({ ...point, ...change })),
    );
    const gaps = rows.filter(({ gapReason }) => gapReason !== null);
    expect(gaps.map(({ gapFrom, time, gapReason }) => ({ startTime: gapFrom, endTime: time, reason: gapReason }))).toEqual(
      equityHistory.gaps,
    );
    expect(gaps.length).toBeGreaterThan(0);
    // It is the same in parts, and where it goes on.
    const [first, rest] = [rows.slice(0, 100), rows.slice(100)];
    expect(await rowsOf({ account: "main", kind: "equity", from: first.at(-1)?.time ?? "", to: iso(to), skip: "1" })).toEqual(
      rest,
    );
  }, 60_000);

  const [atNoon, firstOfMonth] = [NOW - 54.5 * DAY_MS, Date.UTC(new Date(NOW).getUTCFullYear(), new Date(NOW).getUTCMonth() - 1)];
  it.each([
    ["any time", atNoon],
    ["the first moment of a month", firstOfMonth],
  ])(
    "of performance has each month's row as the graph has it, from %s on, and goes on with the same rows",
    async (_, from) => {
      const to = NOW;
      const rows = await rowsOf({ account: "main", kind: "performance", from: iso(from), to: iso(to) });
      const figures = ["timeWeightedReturn", "moneyWeightedReturn", "maxDrawdown", "volatility", "sharpe", "sortino", "calmar"];
      const { performance } = await graph(
        `performance(from: $from, to: $to, by: MONTH) { startTime equityAtStart equityAtEnd longestDrawdownSeconds realised closings
        change { deposits withdrawals flows trades fees funding unexplained total }
        ${[...figures, "winRate", "profitFactor", "expectancy"].map((name) => `${name} { value }`).join(" ")} }`,
        from,
        to,
      );
      expect(performance.length).toBeGreaterThan(1);
      expect(rows).toMatchObject(performance.map(({ change, ...row }: { change: object }) => cells({ ...row, ...change })));
      const skipped = { from: rows[0]?.time ?? "", skip: "1" };
      expect(await rowsOf({ account: "main", kind: "performance", to: iso(to), ...skipped })).toEqual(rows.slice(1));
      const all = await rowsOf({ account: "main", kind: "performance", from: "2010-01-01", to: iso(to) });
      expect(all.slice(1 - rows.length)).toEqual(rows.slice(1));
    },
    60_000,
  );

  it("of flows has what the exchange does not keep any more from the gateway's own record, in the same rows", async () => {
    const { history, exchange } = gateway;
    const account = exchange.account("main");
    if (account === undefined) throw new Error("no account");
    const ledger = new BalanceRecords(history, () => new RequestReads(exchange));
    const now = () => exchange.clock.now();
    const curves = new Curves({
      store: history,
      ledger,
      clock: { now, after: () => () => undefined },
      now,
      intervalMs: 60_000,
      backfillMs: 0,
    });
    // What the recorder stores of the exchange's lists is what the export reads from them, with the purses that no equity contains.
    const since = NOW - 8 * DAY_MS;
    await history.prune({ MINUTE: 0, HOUR: 0, DAY: 0, RECONCILED: 0, RECORD: Date.now() });
    for (const [name, user, kind, apart] of [
      ["main", MAIN_UID, "funding", { wallet: "FUNDING" }],
      ["classic", CLASSIC_UID, "crossed-margin", { wallet: "TRADING", category: "MARGIN" }],
    ] as const) {
      const wallet = walletOf(user, kind);
      const changes = ["5", "-2", "-3"].map((amount, number) => ({
        ...{ wallet, coin: "USDT", cause: causeOf("transfer", `${number}`), at: NOW - 3 * DAY_MS + number },
        ...{ amount: exact(amount), fee: exact("0") },
      }));
      const opening = { openedAt: NOW - 9 * DAY_MS, began: NOW - DAY_MS, wallets: [wallet] };
      gateway.sandbox.world.state.records.enterPast(user, opening, changes);
      const read = await rowsOf({ account: name, kind: "flows", from: iso(since), to: iso(NOW) });
      expect(read).toEqual(expect.arrayContaining([expect.objectContaining(apart)]));
      expect(read.length).toBeGreaterThan(20);
      const note = { from: NOW - 130 * DAY_MS, read: NOW - 130 * DAY_MS, until: NOW - 130 * DAY_MS };
      await history.write({ notes: [{ user, name: "records", body: JSON.stringify(note) }] });
      const account = exchange.account(name);
      if (account === undefined) throw new Error("it is not there");
      await ledger.readAgain(user, account, since, NOW);
      await ledger.readApart(user, account);
      const stored: object[] = [];
      for await (const { rows } of storedFlowRows(curves, user, { from: since, to: NOW }))
        stored.push(...rows.map(({ time, id, cells: own }) => ({ ...own, time: iso(time), id })));
      expect(stored).toEqual(read);
      // They are read again after a day.
      const callsBefore = gateway.sandbox.calls.counts();
      await ledger.readApart(user, account);
      expect(gateway.sandbox.calls.counts()).toEqual(callsBefore);
    }
    // Half a year ago the exchange had them.
    const record = (at: number, number: number) => {
      const body = {
        at,
        pool: "UNIFIED",
        category: "USDT-FUTURES",
        coin: "USDT",
        amount: "-1.5",
        fee: "0.1",
        kind: "trade",
        type: "CLOSE_LONG",
      };
      return { user: MAIN_UID, at, id: `USDT-FUTURES ${number}`, body: JSON.stringify({ ...body, symbol: "BTCUSDT" }) };
    };
    const old = Array.from({ length: 1_200 }, (_, number) =>
      record(NOW - 120 * DAY_MS + Math.floor(number / 700), 1_000 + number),
    );
    await history.write({ records: old });
    const query = { account: "main", kind: "flows", from: iso(NOW - 150 * DAY_MS), to: END };
    const response = await ask({ ...query, format: "jsonl" });
    const lines = (await response.text()).split("\n").slice(0, -1);
    expect(response.headers.get("x-export-from")).toBe(iso(NOW - 130 * DAY_MS));
    const listedFrom = Date.parse(response.headers.get("x-export-listed-from") ?? "");
    expect(Math.abs(listedFrom - (gateway.exchange.clock.now() - 90 * DAY_MS))).toBeLessThan(5 * 60_000);
    const rows: readonly Record<string, string>[] = lines.map((line) => JSON.parse(line));
    expect(rows.slice(0, 1_200).map(({ id }) => id)).toEqual(old.map((_, number) => `${1_000 + number}`));
    expect(rows[0]).toMatchObject({ wallet: "TRADING", category: "USDT_FUTURES", kind: "TRADE", change: "-1.6", balance: null });
    expect(rows.slice(1_200)).toEqual(await rowsOf({ ...query, from: iso(listedFrom) }));
    const rest = await rowsOf({ ...query, from: rows[900]?.time ?? "", skip: "201" });
    expect(rest).toEqual(rows.slice(901));
    expect((await rowsOf({ ...query, to: iso(NOW - 100 * DAY_MS) })).length).toBe(1_200);
    const early = await ask({ ...query, to: iso(NOW - 140 * DAY_MS) });
    expect([early.status, await early.text()]).toEqual([400, expect.stringContaining("the exchange keeps no more")]);
  }, 60_000);

  it("has the whole of a last day that is given without a time", async () => {
    const day = iso(NOW - 5 * DAY_MS).slice(0, 10);
    const query = { account: "main", kind: "fills", from: day };
    const rows = await rowsOf({ ...query, to: day });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(await rowsOf({ ...query, to: iso(NOW - 4 * DAY_MS - 1) }));
  });

  it("begins where the exchange's lists begin, and says so", async () => {
    const response = await ask({ account: "main", kind: "fills", from: "2020-01-01", to: iso(NOW) });
    await response.text();
    const start = Date.parse(response.headers.get("x-export-from") ?? "");
    expect(Math.abs(start - (gateway.exchange.clock.now() - 90 * DAY_MS))).toBeLessThan(5 * 60_000);
    expect(response.headers.get("x-export-user")).toBe(MAIN_UID);
  });

  it.each([
    [{ account: "main", kind: "fills" }, "from must be given"],
    [{ account: "main", kind: "fills", from: "yesterday" }, "from must be a date such as 2026-11-01, or a time such as"],
    [
      { account: "main", kind: "sums", from: "2026-11-01" },
      "kind must be one of fills, orders, flows, activity, equity, performance",
    ],
    [
      { account: "main", kind: "equity", from: "2026-11-01", format: "koinly" },
      "format must not be koinly: only the kinds fills and flows have that format",
    ],
    [{ account: "none", kind: "fills", from: "2026-11-01" }, "account must be the name of an account"],
    [{ account: "main", kind: "fills", from: iso(NOW), to: iso(NOW - 1) }, "to must not be before from"],
    [{ account: "main", kind: "fills", from: "2026-11-01", to: "2026-11-31" }, "to must be a date such as 2026-11-01"],
    [{ account: "main", kind: "fills", from: "2026-02-29T12:00Z" }, "from must be a date such as 2026-11-01"],
    [{ account: "main", kind: "fills", from: "2999-01-01", to: "2999-01-02" }, "from must not be in the future"],
    [{ account: "main", kind: "fills", from: "2020-01-01", to: "2020-02-01" }, "to must be within the last 90 days"],
    [
      { account: "main", kind: "fills", from: iso(NOW), until: "x" },
      "until is not a parameter: the parameters are account, kind, format, from, to",
    ],
  ])("is refused with what is wrong before anything is sent: %j", async (query, message) => {
    const { calls } = gateway.sandbox;
    const before = calls.counts();
    const response = await ask(query);
    const { errors } = JSON.parse(await response.text());
    expect([response.status, errors[0].extensions.code]).toEqual([400, "BAD_USER_INPUT"]);
    expect(errors[0].message).toContain(message);
    expect(calls.counts()).toEqual(before);
  });

  it.each([
    [{ account: "main" }, "unknown", 401, "the token is unknown or no longer valid"],
    [{ account: "main" }, "of-markets", 400, "account must be the name of an account"],
    [{ account: "classic" }, "of-main", 400, "account must be the name of an account"],
    [{ account: "classic" }, "trader-of-classic", 403, "this needs the scope read:account for the account classic"],
  ])("of %j is refused to the client %s", async (query, token, status, message) => {
    const { calls } = gateway.sandbox;
    const before = calls.counts();
    const response = await ask({ ...query, kind: "fills", ...RANGE }, token);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(message)]);
    expect(calls.counts()).toEqual(before);
  });

  it("is allowed to a client with read:account for it, and ends with its token", async () => {
    const response = await ask({ account: "main", kind: "activity", ...RANGE }, "of-main");
    expect(response.status).toBe(200);
    for (const end of ends) end(RIGHTS_CHANGED);
    await expect(response.text()).rejects.toThrow("terminated");
    const audited = () => gateway.lines.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === "export");
    await eventually(() => audited()?.who === "token:of-main");
    expect(audited()).toMatchObject({ account: "main", kind: "activity", code: "FORBIDDEN" });
  });

  it("is refused to a page of another origin", async () => {
    const headers = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
    const response = await fetch(`${gateway.url}/export?account=main&kind=fills&from=2026-01-01`, { headers });
    expect(response.status).toBe(403);
    await response.text();
  });

  it("reads in the background: after everybody else", async () => {
    await rowsOf({ account: "main", kind: "orders", from: iso(NOW - DAY_MS), to: iso(NOW) });
    expect(gateway.priorities).toContain("background");
    expect([...gateway.priorities].filter((priority) => priority !== "background")).toEqual(
      // Who the exchange's user is, once for each key.
      ["read"],
    );
  });

  it("outlasts what the exchange fails to answer for a moment", async () => {
    const query = { account: "main", kind: "fills", from: iso(NOW - 3 * DAY_MS), to: iso(NOW) };
    const whole = await rowsOf(query);
    const { calls, faults } = gateway.sandbox;
    faults.add({ endpoint: "fills", fault: { kind: "reset" }, times: 3 });
    const before = calls.of("fills").refused;
    // Other slices than before, which are not cached.
    expect(await rowsOf({ ...query, from: iso(NOW - 3 * DAY_MS - 1) })).toEqual(whole);
    expect(calls.of("fills").refused).toBe(before + 3);
  });

  it("that fails on the way has no end: no client takes it for a whole file. The audit has its code", async () => {
    const response = await ask({ account: "main", kind: "fills", ...RANGE });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await reader?.read();
    const rule = gateway.sandbox.faults.add({
      endpoint: "fills",
      fault: { kind: "answer", status: 400, code: "40014", msg: "Incorrect permissions" },
    });
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow("terminated");
    gateway.sandbox.faults.remove(rule);
    const audited = () => gateway.lines.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === "export");
    await eventually(() => audited()?.code !== null);
    expect(audited()).toMatchObject({ who: "anyone", account: "main", kind: "fills", format: "csv", code: "FORBIDDEN" });
  });

  it("of one client runs beside one other at most, and ends when its client has gone", async () => {
    const controller = new AbortController();
    const query = new URLSearchParams({ account: "main", kind: "activity", ...RANGE });
    const running = [0, 1].map(() => fetch(`${gateway.url}/export?${query}`, { signal: controller.signal }));
    for (const response of await Promise.all(running)) expect(response.status).toBe(200);
    const refused = await ask({ account: "main", kind: "fills", ...RANGE });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    await refused.text();
    controller.abort();
    const codes = () =>
      gateway.lines
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === "export")
        .map(({ code }) => code);
    await eventually(() => codes().filter((code) => code === "CLIENT_GONE").length === 2);
    expect((await rowsOf({ account: "main", kind: "fills", ...RANGE })).length).toBeGreaterThan(0);
  });
});
