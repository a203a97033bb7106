import type { Instrument, InstrumentStatus, Making } from "./instrument.js";

/** One spot pair. Places are decimals of price and quantity; quantities are the smallest and the largest of an order. */
interface SpotRow {
  readonly pair: readonly [base: string, quote: string];
  readonly places: readonly [price: number, quantity: number];
  readonly quantity: readonly [min: string, max: string];
  readonly making: Omit<Making, "underlying">;
  readonly status?: InstrumentStatus;
  /** The price path. Default: that of the base coin. */
  readonly underlying?: string;
}

const made = (lot: string, depth: string, spacing: number, premium = 0) => ({ lot, depth, spacing, premium });

const row =
  (quote: string) =>
  (
    base: string,
    places: SpotRow["places"],
    quantity: SpotRow["quantity"],
    making: SpotRow["making"],
    rest: Partial<SpotRow> = {},
  ): SpotRow => ({ pair: [base, quote], places, quantity, making, ...rest });

const usdt = row("USDT");
const usdc = row("USDC");
const btc = row("BTC");

const ROWS: readonly SpotRow[] = [
  usdt("BTC", [2, 6], ["0.000001", "9000"], made("0.00005", "1.6", 7)),
  usdt("ETH", [2, 4], ["0.0001", "90000"], made("0.0008", "22", 2)),
  usdt("SOL", [2, 4], ["0.0001", "1000000"], made("0.01", "320", 1)),
  usdt("XRP", [4, 4], ["0.0001", "50000000"], made("1.6", "42000", 1)),
  usdt("DOGE", [5, 4], ["0.0001", "200000000"], made("6", "150000", 1)),
  usdt("ADA", [4, 4], ["0.0001", "50000000"], made("0.9", "36000", 1)),
  usdt("LTC", [2, 4], ["0.0001", "300000"], made("0.004", "140", 1)),
  usdt("LINK", [3, 4], ["0.0001", "2000000"], made("0.03", "1100", 1)),
  usdt("AVAX", [3, 4], ["0.0001", "1000000"], made("0.02", "700", 1)),
  usdt("TRX", [5, 4], ["0.0001", "90000000"], made("3", "90000", 1)),
  usdt("BNB", [1, 4], ["0.0001", "50000"], made("0.0006", "20", 1)),
  usdt("SHIB", [9, 0], ["1", "900000000000"], made("12000", "900000000", 1)),
  usdt("USDC", [4, 4], ["0.0001", "50000000"], made("0.3", "400000", 1)),
  usdt("龙虾", [5, 1], ["0.1", "90000000"], made("20", "400000", 1)),
  btc("ETH", [6, 4], ["0.0001", "30000"], made("0.0004", "8", 1), { underlying: "ETH/BTC" }),
  usdc("BTC", [2, 6], ["0.000001", "4000"], made("0.000004", "0.7", 11, 12)),
  usdc("ETH", [2, 4], ["0.0001", "40000"], made("0.0001", "9", 3, 12)),
  usdt("SUI", [4, 4], ["0.0001", "9000000"], made("0.4", "9000", 1), { status: "gray" }),
  usdt("DOT", [3, 4], ["0.0001", "9000000"], made("0.05", "2000", 1), { status: "halt" }),
  usdc("SHIB", [9, 0], ["1", "90000000000"], made("800", "40000000", 2), { status: "offline" }),
];

export const SPOT_INSTRUMENTS: readonly Instrument[] = ROWS.map(({ pair: [baseCoin, quoteCoin], ...row }) => ({
  category: "SPOT",
  symbol: baseCoin + quoteCoin,
  baseCoin,
  quoteCoin,
  status: row.status ?? "online",
  pricePrecision: row.places[0],
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
  making: { underlying: row.underlying ?? baseCoin, ...row.making },
}));
