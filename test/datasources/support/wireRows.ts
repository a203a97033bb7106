/** Rows as the exchange sends them, with no more than what it always sends. */

export const unifiedOrder = (orderId: string, createdTime: number, more: object = {}) => ({
  orderId,
  clientOid: `c-${orderId}`,
  category: "USDT-FUTURES",
  symbol: "BTCUSDT",
  orderType: "limit",
  side: "buy",
  price: "64000",
  qty: "0.02",
  orderStatus: "new",
  createdTime: String(createdTime),
  ...more,
});

export const classicOrder = (orderId: string, createdTime: number, more: object = {}) => ({
  orderId,
  symbol: "BTCUSDT",
  orderType: "limit",
  side: "buy",
  size: "0.02",
  status: "live",
  marginCoin: "USDT",
  cTime: String(createdTime),
  ...more,
});

export const unifiedFill = (execId: string, createdTime: number) => ({
  execId,
  orderId: "1",
  category: "SPOT",
  symbol: "BTCUSDT",
  side: "buy",
  execPrice: "64000",
  execQty: "0.02",
  createdTime: String(createdTime),
});

export const classicFill = (tradeId: string, createdTime: number) => ({
  tradeId,
  orderId: "1",
  symbol: "BTCUSDT",
  side: "buy",
  price: "64000",
  priceAvg: "64000",
  baseVolume: "0.02",
  size: "0.02",
  cTime: String(createdTime),
});

export const unifiedPlan = (orderId: string, createdTime: number, more: object = {}) => ({
  orderId,
  category: "USDT-FUTURES",
  symbol: "BTCUSDT",
  posSide: "long",
  takeProfit: "70000",
  createdTime: String(createdTime),
  ...more,
});

export const classicPlan = (orderId: string, createdTime: number, planType: string) => ({
  orderId,
  planType,
  symbol: "BTCUSDT",
  side: "sell",
  planStatus: "live",
  cTime: String(createdTime),
});

export const unifiedPosition = (category: string, symbol: string) => ({
  category,
  symbol,
  marginCoin: "USDT",
  holdMode: "one_way_mode",
  posSide: "long",
  marginMode: "crossed",
  available: "0.02",
  frozen: "0",
  total: "0.02",
  markPrice: "64250",
  createdTime: "1767225600100",
  updatedTime: "1767225600102",
});

export const classicPosition = (symbol: string) => ({
  symbol,
  marginCoin: "USDT",
  posMode: "one_way_mode",
  holdSide: "long",
  marginMode: "crossed",
  available: "0.02",
  locked: "0",
  total: "0.02",
  markPrice: "64250",
  cTime: "1767225600100",
  uTime: "1767225600102",
});

const closed = {
  symbol: "BTCUSDT",
  marginCoin: "USDT",
  marginMode: "crossed",
  openTotalPos: "0.02",
  closeTotalPos: "0.02",
  netProfit: "4",
  totalFunding: "0",
};

export const unifiedClosed = (positionId: string, updatedTime: number) => ({
  ...closed,
  positionId,
  category: "USDT-FUTURES",
  holdMode: "one_way_mode",
  posSide: "long",
  openPriceAvg: "64000",
  closePriceAvg: "64255",
  cumRealisedPnl: "5",
  openFeeTotal: "-0.5",
  closeFeeTotal: "-0.5",
  createdTime: String(updatedTime - 1_000),
  updatedTime: String(updatedTime),
});

export const classicClosed = (positionId: string, updatedTime: number) => ({
  ...closed,
  positionId,
  posMode: "one_way_mode",
  holdSide: "long",
  openAvgPrice: "64000",
  closeAvgPrice: "64255",
  pnl: "5",
  openFee: "-0.5",
  closeFee: "-0.5",
  ctime: String(updatedTime - 1_000),
  utime: String(updatedTime),
});

export const futuresWallet = (marginCoin: string, usdtEquity: string) => ({
  marginCoin,
  locked: "0",
  available: usdtEquity,
  crossedMaxAvailable: usdtEquity,
  isolatedMaxAvailable: usdtEquity,
  maxTransferOut: usdtEquity,
  accountEquity: usdtEquity,
  usdtEquity,
  btcEquity: "0",
  unrealizedPL: "",
  coupon: "0",
  crossedRiskRate: "0",
});

export const wireTicker = (symbol: string, lastPrice: string) => ({ symbol, lastPrice, ts: "1767225600000" });

export const wireInstrument = (symbol: string) => ({ symbol, baseCoin: "BTC", quoteCoin: "USDT", status: "online" });
