import { classicSpotAssets, fundingAssets, unifiedAssets } from "@exchange-graph/contract/asset";
import { HOUR_MS, ManualClock } from "@exchange-graph/contract/clock";
import type { Codec } from "@exchange-graph/contract/codec";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import {
  classicCrossedMarginRecords,
  classicFuturesBills,
  classicIsolatedMarginRecords,
  classicSpotBills,
  FINANCIAL_RECORD_CATEGORIES,
  type ClassicFinancialRecord as FinancialRecord,
  financialRecords,
  fundingFinancialRecords,
} from "@exchange-graph/contract/financialRecord";
import { futuresAccounts } from "@exchange-graph/contract/futuresAccount";
import type { Page } from "@exchange-graph/contract/page";
import { isRead, rowsRead } from "@exchange-graph/contract/rows";
import { queryString } from "@exchange-graph/contract/signing";
import { classicSubTransfers, classicTransfers, subTransfers } from "@exchange-graph/contract/transfer";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import {
  classicDepositRecords,
  classicWithdrawalRecords,
  depositRecords,
  withdrawalRecords,
} from "@exchange-graph/contract/wallet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PromisedCredential } from "../../src/credentials.js";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { walletOf } from "../../src/world/ledger.js";
import { CLASSIC_SUB_UIDS, CLASSIC_UID, MAIN_UID } from "../../src/world/opening/initialAccounts.js";
import { credentialOf, signedCall } from "../support/signedCall.js";

/** What the exchange lists as changes of balances explains every change of every balance that it lists. */

const NOW = Date.UTC(2026, 0, 15, 10, 30);
type Account = PromisedCredential["name"];
type Balances = ReadonlyMap<string, Exact>;

const clock = new ManualClock(NOW);
let sandbox: Sandbox;
const began: Partial<Record<Account, Balances>> = {};

async function read<D>(
  account: Account,
  { path, data: codec }: Pick<Endpoint, "path"> & { data: Codec<D> },
  query = {},
): Promise<D> {
  const asked = queryString(query);
  const target = asked === "" ? path : `${path}?${asked}`;
  const { code, msg, data } = await signedCall(sandbox, credentialOf(account), target);
  if (code !== "00000") throw new Error(`${target}: ${code} ${msg}`);
  return codec.decode(data);
}

async function write(account: Account, path: string, body: object): Promise<unknown> {
  const { code, msg, data } = await signedCall(sandbox, credentialOf(account), path, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (code !== "00000") throw new Error(`${path} ${JSON.stringify(body)}: ${code} ${msg}`);
  return data;
}

const passed = (ms: number) => {
  clock.advance(ms);
  sandbox.world.advance();
};

/** Margin accounts of the Classic account, whose balances are those of the ledger. */
const MARGIN_WALLETS = [
  { name: "crossed-margin", of: walletOf(CLASSIC_UID, "crossed-margin") },
  { name: "isolated-margin", of: walletOf(CLASSIC_UID, "isolated-margin", "BTCUSDT") },
];

/** Every balance that the account's mode lists, by wallet and coin. */
async function balances(account: Account): Promise<Balances> {
  const found: [string, Exact][] = [];
  if (account === "main") {
    const { assets } = await read(account, unifiedAssets);
    for (const { coin, balance } of rowsRead(assets)) found.push([`unified ${coin}`, exact(balance ?? "0")]);
    const funding = await read(account, fundingAssets);
    for (const { coin, balance } of rowsRead(funding)) found.push([`funding ${coin}`, exact(balance ?? "0")]);
    return new Map(found);
  }
  const spot = await read(account, classicSpotAssets);
  for (const { coin, available, frozen, locked } of rowsRead(spot))
    found.push([`spot ${coin}`, [available, frozen, locked].reduce((sum, part) => sum.plus(part ?? "0"), exact("0"))]);
  for (const productType of FUTURES_CATEGORIES) {
    const accounts = await read(account, futuresAccounts, { productType });
    for (const { assets } of rowsRead(accounts).slice(0, 1))
      for (const { coin, balance } of rowsRead(assets)) found.push([`${productType} ${coin}`, exact(balance ?? "0")]);
  }
  if (account === "classic")
    for (const wallet of MARGIN_WALLETS)
      for (const [coin] of sandbox.world.state.ledger.coins(wallet.of))
        found.push([`${wallet.name} ${coin}`, sandbox.world.state.ledger.held(wallet.of, coin)]);
  return new Map(found);
}

type RecordList = Pick<Endpoint, "path" | "parameters"> & { readonly data: Codec<Page<FinancialRecord>> };

/** The list of an endpoint, page by page. */
async function all(
  account: Account,
  endpoint: RecordList,
  query: Record<string, string> = {},
): Promise<readonly FinancialRecord[]> {
  const found: FinancialRecord[] = [];
  const parameter = "cursor" in endpoint.parameters ? "cursor" : "idLessThan";
  for (let cursor: string | null = ""; cursor !== null && found.length < 5_000; ) {
    const paging = { limit: "50", ...(cursor === "" ? {} : { [parameter]: cursor }) };
    const page: Page<FinancialRecord> = await read(account, endpoint, { ...query, ...paging });
    found.push(...page.list.filter(isRead));
    cursor = page.list.length < 50 ? null : page.cursor;
  }
  return found;
}

/** Every list of the account's mode, by wallet. */
async function records(account: Account): Promise<readonly (FinancialRecord & { readonly wallet: string })[]> {
  const lists: (readonly [wallet: string, rows: readonly FinancialRecord[]])[] = [];
  if (account === "main") {
    for (const category of FINANCIAL_RECORD_CATEGORIES)
      lists.push(["unified", await all(account, financialRecords, { category })]);
    lists.push(["funding", await all(account, fundingFinancialRecords)]);
  } else {
    lists.push(["spot", await all(account, classicSpotBills)]);
    for (const productType of FUTURES_CATEGORIES)
      lists.push([productType, await all(account, classicFuturesBills, { productType })]);
    const startTime = String(NOW - 24 * HOUR_MS);
    lists.push(["crossed-margin", await all(account, classicCrossedMarginRecords, { startTime })]);
    lists.push(["isolated-margin", await all(account, classicIsolatedMarginRecords, { startTime, symbol: "BTCUSDT" })]);
  }
  return lists.flatMap(([wallet, rows]) => rows.map((row) => ({ ...row, wallet })));
}

const changeOf = ({ amount, fee }: FinancialRecord): Exact => exact(amount ?? "0").minus(fee ?? "0");

async function converted(account: Account, from: string, to: string, amount: string): Promise<void> {
  const asked = queryString({ fromCoin: from, toCoin: to, fromCoinSize: amount });
  const { data } = await signedCall(sandbox, credentialOf(account), `/api/v2/convert/quoted-price?${asked}`);
  const { fee, ...terms } = data as Record<string, string>;
  expect(fee === undefined || fee !== "").toBe(true);
  await write(account, "/api/v2/convert/trade", terms);
}

beforeAll(async () => {
  sandbox = await startSandbox({ clock, enforceLimits: false });
  for (const account of ["main", "classic", "broker"] as const) began[account] = await balances(account);
  passed(1);

  // Spot, margin and futures of the unified account: fills with fees, a reversal, coins that are borrowed.
  const order = { orderType: "market", timeInForce: "ioc" };
  await write("main", "/api/v3/trade/place-order", { ...order, category: "SPOT", symbol: "BTCUSDT", side: "buy", qty: "900" });
  await write("main", "/api/v3/trade/place-order", { ...order, category: "SPOT", symbol: "ETHUSDT", side: "sell", qty: "0.5" });
  await write("main", "/api/v3/trade/place-order", { ...order, category: "MARGIN", symbol: "ETHUSDT", side: "sell", qty: "14" });
  passed(2 * HOUR_MS);
  await write("main", "/api/v3/trade/place-order", { ...order, category: "SPOT", symbol: "ETHUSDT", side: "buy", qty: "20000" });
  for (const side of ["buy", "sell", "sell", "buy"])
    await write("main", "/api/v3/trade/place-order", { ...order, category: "USDT-FUTURES", symbol: "SOLUSDT", side, qty: "40" });
  // Money in and out, and from wallet to wallet.
  sandbox.services.wallets.deposit("8800112233", "USDT", exact("1500.25"));
  const toUnified = { fromType: "p2p", toType: "uta", coin: "USDT", amount: "700" };
  await write("main", "/api/v3/account/transfer", toUnified);
  await write("main", "/api/v3/account/transfer", { ...toUnified, fromType: "uta", toType: "p2p", amount: "12.5" });
  const withdrawal = { coin: "USDT", transferType: "on_chain", chain: "TRC20", address: "somewhere", size: "40" };
  await write("main", "/api/v3/account/withdrawal", withdrawal);
  await write("main", "/api/v3/account/withdrawal", { ...withdrawal, transferType: "internal_transfer", address: "8800112244" });
  const [subUid] = CLASSIC_SUB_UIDS;
  const subOfMain = { uid: subUid, kind: "spot" } as const;
  sandbox.world.transfers.transfer({ uid: MAIN_UID, kind: "unified" }, subOfMain, "USDT", exact("21.5"));
  sandbox.world.transfers.transfer(subOfMain, { uid: MAIN_UID, kind: "unified" }, "USDT", exact("1.25"));
  await converted("main", "USDT", "BTC", "250");
  await write("main", "/api/v2/earn/savings/redeem", { productId: "9001", periodType: "flexible", amount: "5" });

  // The Classic account.
  const spot = { symbol: "BTCUSDT", orderType: "market", force: "gtc" };
  await write("classic", "/api/v2/spot/trade/place-order", { ...spot, side: "buy", size: "500" });
  await write("classic", "/api/v2/spot/trade/place-order", { ...spot, side: "sell", size: "0.01" });
  const futures = {
    symbol: "BTCUSDT",
    productType: "usdt-futures",
    marginMode: "crossed",
    marginCoin: "USDT",
    orderType: "market",
  };
  await write("classic", "/api/v2/mix/order/place-order", { ...futures, side: "buy", size: "0.05" });
  await write("classic", "/api/v2/mix/order/place-order", { ...futures, side: "sell", size: "0.05" });
  const ofCoin = { ...futures, symbol: "BTCUSD", productType: "coin-futures", marginCoin: "BTC", size: "0.01" };
  for (const side of ["buy", "sell"]) await write("classic", "/api/v2/mix/order/place-order", { ...ofCoin, side });
  const toFutures = { fromType: "spot", toType: "usdt_futures", coin: "USDT", amount: "100" };
  await write("classic", "/api/v2/spot/wallet/transfer", toFutures);
  await write("classic", "/api/v2/spot/wallet/transfer", { ...toFutures, toType: "crossed_margin", amount: "7" });
  const isolated = { ...toFutures, toType: "isolated_margin", symbol: "BTCUSDT", amount: "4.5" };
  await write("classic", "/api/v2/spot/wallet/transfer", isolated);
  await write("classic", "/api/v2/spot/wallet/withdrawal", { ...withdrawal, clientOid: "once" });
  await write("classic", "/api/v2/spot/wallet/withdrawal", { ...withdrawal, clientOid: "once" });
  await converted("classic", "ETH", "USDT", "0.1");
  const sub = { fromType: "spot", toType: "spot", coin: "USDT", amount: "30", fromUserId: "8800112244", toUserId: "8800112301" };
  await write("classic", "/api/v2/spot/wallet/subaccount-transfer", sub);
  sandbox.services.wallets.deposit("8800112244", "BTC", exact("0.3"));
  // Funding, interest of loans and savings, and what falls due.
  passed(26 * HOUR_MS);
}, 60_000);
afterAll(() => sandbox.close());

describe.each(["main", "classic", "broker"] as const)("the records of %s", (account) => {
  it("explain every change of every balance, to the last digit", async () => {
    const [now, rows] = [await balances(account), await records(account)];
    const sums = new Map<string, Exact>();
    for (const row of rows.filter(({ createdTime }) => (createdTime ?? 0) > NOW)) {
      const name = `${row.wallet} ${row.coin}`;
      sums.set(name, (sums.get(name) ?? exact("0")).plus(changeOf(row)));
    }
    const explained = [...now].map(([name]) => [
      name,
      plain((began[account]?.get(name) ?? exact("0")).plus(sums.get(name) ?? "0")),
    ]);
    expect(explained).toEqual([...now].map(([name, balance]) => [name, plain(balance)]));
    expect([...now.keys()].length).toBeGreaterThan(6);
  });

  it("continue from each other: the balance after one is the balance before the next", async () => {
    const latest = new Map<string, Exact>();
    const rows = [...(await records(account))].sort((a, b) => (a.recordId < b.recordId ? -1 : 1));
    for (const row of rows) {
      const name = `${row.wallet} ${row.coin}`;
      const balance = exact(row.balance ?? "-1");
      const before = latest.get(name) ?? balance.minus(changeOf(row));
      expect(`${name} ${plain(before.plus(changeOf(row)))}`).toBe(`${name} ${plain(balance)}`);
      latest.set(name, balance);
    }
    for (const [name, balance] of await balances(account)) {
      const recorded = latest.get(name);
      if (recorded !== undefined) expect(`${name} ${plain(recorded)}`).toBe(`${name} ${plain(balance)}`);
    }
  });

  it("have a cause that the contract lists", async () => {
    const rows = await records(account);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ kind }) => kind === null || kind === "UNKNOWN").map(({ kindRaw }) => kindRaw)).toEqual([]);
  });
});

/** What the lists of transfers, deposits and withdrawals have moved since the beginning, by coin. */
async function listed(account: "main" | "classic", wallet: "spot" | "uta"): Promise<Readonly<Record<string, string>>> {
  const isMain = account === "main";
  const moved = new Map<string, Exact>();
  const add = (of: string, coin: string | null, amount: Exact) =>
    moved.set(`${of} ${coin}`, (moved.get(`${of} ${coin}`) ?? exact("0")).plus(amount));
  const isNew = ({ createdTime }: { readonly createdTime: number | null }) => (createdTime ?? 0) > NOW;
  const span = { startTime: String(NOW - HOUR_MS), endTime: String(clock.now()) };
  const pages = async <R>(endpoint: Pick<Endpoint, "path"> & { data: Codec<Page<R>> }, query = {}) =>
    (await read(account, endpoint, { limit: "100", ...span, ...query })).list.filter(isRead);
  for (const row of (await pages(isMain ? depositRecords : classicDepositRecords)).filter(isNew))
    add("deposit", row.coin, exact(row.amount ?? "0"));
  for (const row of (await pages(isMain ? withdrawalRecords : classicWithdrawalRecords)).filter(isNew))
    add("withdrawal", row.coin, exact("0").minus(row.amount ?? "0"));
  const own = isMain ? [] : await Promise.all(["USDT", "BTC", "ETH"].map((coin) => read(account, classicTransfers, { coin })));
  const subs = isMain ? subTransfers : classicSubTransfers;
  const transfers = [...own.flat().filter(isRead), ...(await pages(subs)), ...(await pages(subs, { role: "receiver" }))];
  const uid = isMain ? MAIN_UID : CLASSIC_UID;
  for (const { coin, amount, fromWallet, toWallet, fromUserId, toUserId } of transfers.filter(isNew)) {
    if (fromWallet === wallet && (fromUserId ?? uid) === uid) add("transfer", coin, exact("0").minus(amount ?? "0"));
    if (toWallet === wallet && (toUserId ?? uid) === uid) add("transfer", coin, exact(amount ?? "0"));
  }
  return Object.fromEntries([...moved].map(([name, sum]) => [name, plain(sum)]));
}

/** The same of the records of a wallet. */
async function recorded(account: Account, wallet: string, kinds: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const moved = new Map<string, Exact>();
  for (const row of await records(account)) {
    const isMeant = row.wallet === wallet && kinds.includes(row.kind ?? "") && (row.createdTime ?? 0) > NOW;
    const name = `${row.kind} ${row.coin}`;
    if (isMeant) moved.set(name, (moved.get(name) ?? exact("0")).plus(changeOf(row)));
  }
  return Object.fromEntries([...moved].map(([name, sum]) => [name, plain(sum)]));
}

it("of a Classic account agree with its deposits, withdrawals, transfers and those with sub-accounts", async () => {
  const found = await listed("classic", "spot");
  expect(found).toEqual(await recorded("classic", "spot", ["deposit", "withdrawal", "transfer"]));
  expect(Object.keys(found).sort()).toEqual(["deposit BTC", "deposit USDT", "transfer USDT", "withdrawal USDT"]);
});

it("of a unified account agree with its deposits, withdrawals and transfers with sub-accounts", async () => {
  const { "transfer USDT": withSubs, ...entered } = await listed("main", "uta");
  expect(entered).toEqual(await recorded("main", "funding", ["deposit", "withdrawal"]));
  expect(Object.keys(entered).sort()).toEqual(["deposit USDT", "withdrawal USDT"]);
  expect(withSubs).toBe("-20.25");
  // The exchange has no list of transfers between the funding account and the unified one: they are records of both.
  expect(await recorded("main", "funding", ["transfer"])).toEqual({ "transfer USDT": "-687.5" });
  const unified = (await records("main")).filter(({ wallet, kind }) => wallet === "unified" && kind === "transfer");
  const changes = unified.map((row) => plain(changeOf(row)));
  expect(changes).toEqual(expect.arrayContaining(["700", "-12.5", "-21.5", "1.25"]));
});

it("are of every kind that the workload has brought about", async () => {
  const kinds = async (account: Account) => [...new Set((await records(account)).map(({ kind }) => kind))].sort();
  expect(await kinds("main")).toEqual([
    ...["borrowing", "conversion", "deposit", "funding", "interest", "trade", "transfer", "withdrawal"],
  ]);
  expect(await kinds("classic")).toEqual([
    ...["conversion", "deposit", "earn", "funding", "loan", "trade", "transfer", "withdrawal"],
  ]);
});

it("are refused without a category, and for more than thirty days or a page of more than a hundred", async () => {
  const path = "/api/v3/account/financial-records";
  const codeOf = async (query: string) => (await signedCall(sandbox, credentialOf("main"), `${path}${query}`)).code;
  const month = `startTime=${clock.now() - 31 * 24 * HOUR_MS}&endTime=${clock.now()}`;
  expect(await Promise.all(["", `?category=OTHER&${month}`, "?category=OTHER&limit=101"].map(codeOf))).toEqual([
    ...["400172", "00001", "40020"],
  ]);
});

it("can be asked for by type, coin and time", async () => {
  const type = "CONTRACT_MAIN_SETTLE_FEE_USER_OUT";
  const funding = await all("main", financialRecords, { category: "USDT-FUTURES", type, coin: "usdt" });
  expect(funding.length).toBeGreaterThan(0);
  expect(new Set(funding.map((row) => `${row.type} ${row.coin}`))).toEqual(new Set([`${type} USDT`]));
  const settled = await all("classic", classicFuturesBills, { productType: "USDT-FUTURES", businessType: "contract_settle_fee" });
  expect(settled.length).toBeGreaterThan(0);
  const none = await all("main", financialRecords, {
    category: "OTHER",
    startTime: String(NOW - 20 * HOUR_MS),
    endTime: String(NOW - 10 * HOUR_MS),
  });
  expect(none).toEqual([]);
});
