import type { Instrument, InstrumentStatus } from "./instrument.js";

/** Spot pairs: places of price and quantity, the smallest quantity, how much trades, how deep and fine the house quotes. */
interface SpotRow {
  readonly pair: readonly [base: string, quote: string];
  readonly places: readonly [price: number, quantity: number];
  readonly quantity: readonly [min: string, max: string];
  readonly lot: string;
  readonly depth: string;
  readonly spacing: number;
  readonly status?: InstrumentStatus;
  readonly underlying?: string;
  readonly premium?: number;
}

const ROWS: readonly SpotRow[] = [
  { pair: ["BTC", "USDT"], places: [2, 6], quantity: ["0.000001", "9000"], lot: "0.00005", depth: "1.6", spacing: 7 },
  { pair: ["ETH", "USDT"], places: [2, 4], quantity: ["0.0001", "90000"], lot: "0.0008", depth: "22", spacing: 2 },
  { pair: ["SOL", "USDT"], places: [2, 4], quantity: ["0.0001", "1000000"], lot: "0.01", depth: "320", spacing: 1 },
  { pair: ["XRP", "USDT"], places: [4, 4], quantity: ["0.0001", "50000000"], lot: "1.6", depth: "42000", spacing: 1 },
  { pair: ["DOGE", "USDT"], places: [5, 4], quantity: ["0.0001", "200000000"], lot: "6", depth: "150000", spacing: 1 },
  { pair: ["ADA", "USDT"], places: [4, 4], quantity: ["0.0001", "50000000"], lot: "0.9", depth: "36000", spacing: 1 },
  { pair: ["LTC", "USDT"], places: [2, 4], quantity: ["0.0001", "300000"], lot: "0.004", depth: "140", spacing: 1 },
  { pair: ["LINK", "USDT"], places: [3, 4], quantity: ["0.0001", "2000000"], lot: "0.03", depth: "1100", spacing: 1 },
  { pair: ["AVAX", "USDT"], places: [3, 4], quantity: ["0.0001", "1000000"], lot: "0.02", depth: "700", spacing: 1 },
  { pair: ["TRX", "USDT"], places: [5, 4], quantity: ["0.0001", "90000000"], lot: "3", depth: "90000", spacing: 1 },
  { pair: ["BNB", "USDT"], places: [1, 4], quantity: ["0.0001", "50000"], lot: "0.0006", depth: "20", spacing: 1 },
  { pair: ["SHIB", "USDT"], places: [9, 0], quantity: ["1", "900000000000"], lot: "12000", depth: "900000000", spacing: 1 },
  { pair: ["USDC", "USDT"], places: [4, 4], quantity: ["0.0001", "50000000"], lot: "0.3", depth: "400000", spacing: 1 },
  {
    pair: ["ETH", "BTC"],
    places: [6, 4],
    quantity: ["0.0001", "30000"],
    lot: "0.0004",
    depth: "8",
    spacing: 1,
    underlying: "ETH/BTC",
  },
  {
    pair: ["BTC", "USDC"],
    places: [2, 6],
    quantity: ["0.000001", "4000"],
    lot: "0.000004",
    depth: "0.7",
    spacing: 11,
    premium: 12,
  },
  { pair: ["ETH", "USDC"], places: [2, 4], quantity: ["0.0001", "40000"], lot: "0.0001", depth: "9", spacing: 3, premium: 12 },
  {
    pair: ["SUI", "USDT"],
    places: [4, 4],
    quantity: ["0.0001", "9000000"],
    lot: "0.4",
    depth: "9000",
    spacing: 1,
    status: "gray",
  },
  {
    pair: ["DOT", "USDT"],
    places: [3, 4],
    quantity: ["0.0001", "9000000"],
    lot: "0.05",
    depth: "2000",
    spacing: 1,
    status: "halt",
  },
  {
    pair: ["SHIB", "USDC"],
    places: [9, 0],
    quantity: ["1", "90000000000"],
    lot: "800",
    depth: "40000000",
    spacing: 2,
    status: "offline",
  },
];

export const SPOT_INSTRUMENTS: readonly Instrument[] = ROWS.map((row) => ({
  category: "SPOT",
  symbol: row.pair.join(""),
  baseCoin: row.pair[0],
  quoteCoin: row.pair[1],
  status: row.status ?? "online",
  pricePrecision: row.places[0],
  priceStep: 1,
  quantityPrecision: row.places[1],
  quotePrecision: row.places[0] + row.places[1],
  minQuantity: row.quantity[0],
  maxQuantity: row.quantity[1],
  minValue: "1",
  buyLimitRatio: "0.05",
  sellLimitRatio: "0.05",
  makerFeeRate: "0.001",
  takerFeeRate: "0.001",
  maxOrders: 200,
  making: {
    underlying: row.underlying ?? row.pair[0],
    premium: row.premium ?? 0,
    lot: row.lot,
    spacing: row.spacing,
    depth: row.depth,
  },
}));
