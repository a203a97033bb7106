import { type UnifiedAssets, unifiedAssets } from "@exchange-graph/contract/asset";
import type { Order } from "@exchange-graph/contract/order";
import { openOrders } from "@exchange-graph/contract/orderReads";
import { type Position, positions } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import { expect, it } from "vitest";
import { UnifiedHoldings } from "../../../src/datasources/state/holdings.js";
import { OrderLedger } from "../../../src/datasources/state/orderLedger.js";
import { PositionLedger } from "../../../src/datasources/state/positionLedger.js";
import { AccountProof } from "../../../src/datasources/valuation/accountFigures.js";
import { usedHeap } from "../../support/heap.js";
import { wireOrder } from "../streams/support/accountWorld.js";

/** Accounts whose state is held at once. */
const ACCOUNTS = Number.parseInt(process.env.LIVE_MEMORY_ACCOUNTS ?? "40", 10);
/** What 1,000 accounts may take together. */
const LIMIT = 512 * 2 ** 20;
const [ORDERS, POSITIONS, COINS] = [200, 20, 40];

const times = <T>(count: number, make: (at: number) => T): readonly T[] => Array.from({ length: count }, (_, at) => make(at));

/** As they come off the wire: each account has text of its own. */
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

function stateOf(account: number) {
  const [orders, open, held] = [new OrderLedger("UNIFIED"), new PositionLedger("UNIFIED"), new UnifiedHoldings()];
  orders.take(
    ordersOf(account).map((order) => ({ ...order, lastFill: null })),
    "REST",
  );
  open.read(positionsOf(account), true);
  const assets = held.read(assetsOf(account));
  const facts = {
    positions: open.open,
    unified: { ...assets, assets: rowsRead(assets.assets) },
    wallets: [],
    hasPricedOrders: false,
  };
  const rules = { contract: () => undefined, discount: () => [] };
  return { orders, open, held, proof: new AccountProof(facts, rules) };
}

it(`1,000 accounts with ${ORDERS} open orders, ${POSITIONS} positions and ${COINS} coins each fit in 512 MB`, async () => {
  const before = await usedHeap();
  const accounts = times(ACCOUNTS, stateOf);
  const each = ((await usedHeap()) - before) / ACCOUNTS;
  expect(accounts.every(({ orders, open }) => orders.open.length === ORDERS && open.open.length === POSITIONS)).toBe(true);
  if (ACCOUNTS >= 1_000) process.stdout.write(`${Math.round(each / 1024)} KiB per account\n`);
  expect(each * 1_000).toBeLessThan(LIMIT);
});
