import { classicSpotAssets, type UnifiedAssets, unifiedAssets } from "@exchange-graph/contract/asset";
import { type Fill, fills } from "@exchange-graph/contract/fill";
import { futuresAccounts } from "@exchange-graph/contract/futuresAccount";
import type { Order } from "@exchange-graph/contract/order";
import { openOrders } from "@exchange-graph/contract/orderReads";
import { type Position, positions } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import { expect, it } from "vitest";
import type { AccountMode } from "../../../../src/datasources/calls/accounts/exchangeAccount.js";
import { AccountProof } from "../../../../src/datasources/reads/valuation/accountFigures.js";
import { orderLedger } from "../../../../src/datasources/streams/channels/orders.js";
import { positionLedger } from "../../../../src/datasources/streams/channels/positions.js";
import { FillLedger } from "../../../../src/datasources/streams/state/fillLedger.js";
import { ClassicHoldings, UnifiedHoldings } from "../../../../src/datasources/streams/state/holdings.js";
import { usedHeap } from "../../../support/heap.js";
import { wireOrder } from "../support/accountWorld.js";

/** Accounts whose state is held at once. */
const ACCOUNTS = Number.parseInt(process.env.LIVE_MEMORY_ACCOUNTS ?? "20", 10);
/** What 1,000 accounts may take together. */
const LIMIT = 512 * 2 ** 20;
const [ORDERS, POSITIONS, COINS, FILLS] = [200, 20, 40, 100];

const times = <T>(count: number, make: (at: number) => T): readonly T[] => Array.from({ length: count }, (_, at) => make(at));

/** As decoded from the wire: each account has its own text. */
const ordersOf = (account: number): readonly Order[] =>
  rowsRead(openOrders.data.decode({ list: times(ORDERS, (at) => wireOrder(`${account}${at}`)), cursor: null }).list);

const positionsOf = (account: number): readonly Position[] => {
  const list = times(POSITIONS, (at) => ({
    category: "USDT-FUTURES",
    symbol: `COIN${at}USDT`,
    marginCoin: "USDT",
    holdMode: "one_way_mode",
    posSide: "long",
    marginMode: "crossed",
    positionBalance: `12${account}.5`,
    available: "0.5",
    frozen: "0",
    total: "0.5",
    leverage: "10",
    curRealisedPnl: `1.${account}`,
    avgPrice: `6400${at}.5`,
    positionStatus: "normal",
    unrealisedPnl: `3.${account}${at}`,
    liquidationPrice: "51000",
    mmr: "0.004",
    profitRate: "0.01",
    markPrice: `6401${at}.1`,
    breakEvenPrice: "64010",
    createdTime: "1767225600000",
    updatedTime: "1767225600000",
  }));
  return rowsRead(positions.data.decode({ list }).list);
};

const assetsOf = (account: number): UnifiedAssets =>
  unifiedAssets.data.decode({
    accountEquity: `1000.${account}`,
    assets: times(COINS, (at) => ({ coin: `COIN${at}`, equity: `1.${account}${at}`, balance: "1", debt: "0", locked: "0" })),
  });

const fillsOf = (account: number): readonly Fill[] => {
  const list = times(FILLS, (at) => ({
    execId: `13912300${account}0000${1_000 + at}`,
    execLinkId: `13912301${account}0000${1_000 + at}`,
    orderId: `13912302${account}0000${1_000 + at}`,
    clientOid: `c-${account}-${at}`,
    category: "SPOT",
    symbol: "BTCUSDT",
    orderType: "limit",
    side: "buy",
    execPrice: `6400${at}.5`,
    execQty: `0.0${account}${at}`,
    execValue: `64.${account}${at}`,
    tradeScope: "maker",
    feeDetail: [{ feeCoin: "BTC", fee: `0.0000${at}` }],
    execPnl: "0",
    createdTime: `${1_767_225_600_000 + at}`,
    updatedTime: `${1_767_225_600_000 + at}`,
  }));
  return rowsRead(fills.data.decode({ list, cursor: null }).list);
};

const UNIFIED_ONLY = { wallets: [], orders: [] };
const RULES = {
  contract: () => undefined,
  discount: () => [],
  leverage: () => undefined,
  coinLeverage: () => undefined,
};

function unifiedOf(account: number, positions: readonly Position[]) {
  const held = new UnifiedHoldings();
  const assets = held.read(assetsOf(account), 0);
  const unified = { ...assets, assets: rowsRead(assets.assets) };
  return { held, proof: new AccountProof({ positions, unified, ...UNIFIED_ONLY }, RULES) };
}

function classicOf(account: number, positions: readonly Position[]) {
  const held = new ClassicHoldings();
  const spot = classicSpotAssets.data.decode(
    times(COINS, (at) => ({
      coin: `COIN${at}`,
      available: `1.${account}${at}`,
      frozen: "0",
      locked: "0",
      limitAvailable: "0",
      uTime: "1767225600000",
    })),
  );
  const wallet = {
    marginCoin: "USDT",
    locked: "0",
    available: `900.${account}`,
    crossedMaxAvailable: `900.${account}`,
    isolatedMaxAvailable: `900.${account}`,
    maxTransferOut: `800.${account}`,
    accountEquity: `1000.${account}`,
    usdtEquity: `1000.${account}`,
    btcEquity: `0.015${account}`,
    crossedRiskRate: "0.01",
    unrealizedPL: `3.${account}`,
    assetList: [],
  };
  const wallets = rowsRead(futuresAccounts.data.decode([wallet])).map((one) => ({
    ...one,
    category: "USDT-FUTURES" as const,
    categoryRaw: "USDT-FUTURES",
  }));
  held.readSpot(rowsRead(spot), true, 0);
  held.readFutures("USDT-FUTURES", wallets, true, 0);
  return { held, proof: new AccountProof({ positions, unified: null, wallets, orders: [] }, RULES) };
}

function stateOf(mode: AccountMode, account: number) {
  const [orders, open, executions] = [orderLedger(mode), positionLedger(mode), new FillLedger(mode)];
  orders.beginReading({ now: () => 0 }).take(ordersOf(account).map((order) => ({ lastFill: null, ...order })));
  open.beginReading({ now: () => 0 }).take(positionsOf(account));
  executions.read(fillsOf(account), 0);
  executions.reaches(["SPOT"], 0);
  const list = executions.completeFills?.list ?? [];
  return { orders, open, executions, list, ...(mode === "UNIFIED" ? unifiedOf : classicOf)(account, open.open) };
}

it.each(["UNIFIED", "CLASSIC"] as const)(
  `1,000 accounts (%s) with ${ORDERS} open orders, ${POSITIONS} positions, ${COINS} coins and ${FILLS} executions each fit in 512 MB`,
  async (mode) => {
    stateOf(mode, 0);
    const before = await usedHeap();
    const accounts = times(ACCOUNTS, (at) => stateOf(mode, at));
    const each = ((await usedHeap()) - before) / ACCOUNTS;
    for (const { orders, open, list, held } of accounts)
      expect([orders.open.length, open.open.length, list.length, held]).toEqual([ORDERS, POSITIONS, FILLS, held]);
    if (ACCOUNTS >= 1_000) process.stdout.write(`${mode}: ${Math.round(each / 1024)} KiB per account\n`);
    expect(each * 1_000).toBeLessThan(LIMIT);
  },
);
