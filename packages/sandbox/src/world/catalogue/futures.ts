import { DAY_MS } from "@exchange-graph/contract/clock";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { Calendar, Delivery, FuturesInstrument, InstrumentStatus, Making, Tier } from "./instrument.js";

/** Futures month codes of the quarters' last months: March, June, September, December. */
const QUARTERS = [
  { month: 2, code: "H" },
  { month: 5, code: "M" },
  { month: 8, code: "U" },
  { month: 11, code: "Z" },
] as const;
const DELIVERY_HOUR = 8;
/** Minimum remaining lifetime of a contract when it is listed. */
const SHORTEST_LIFE_MS = 60 * DAY_MS;

/** The last Friday of a month at 08:00 UTC. */
function lastFriday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0, DELIVERY_HOUR));
  return lastDay.getTime() - ((lastDay.getUTCDay() + 2) % 7) * DAY_MS;
}

/** The quarterly delivery to trade at `startMs`: its month code with two digits of the year, and its dates. */
function quarterAfter(startMs: number): { readonly code: string; readonly delivery: Delivery } {
  for (let year = new Date(startMs).getUTCFullYear(); ; year++) {
    for (const { month, code } of QUARTERS) {
      const time = lastFriday(year, month);
      if (time < startMs + SHORTEST_LIFE_MS) continue;
      const period = time - startMs < 92 * DAY_MS ? "this_quarter" : "next_quarter";
      return {
        code: `${code}${String(year % 100).padStart(2, "0")}`,
        delivery: { startTime: time - 182 * DAY_MS, time, period },
      };
    }
  }
}

const ladder = (...steps: readonly (readonly [maxValue: string, leverage: number, maintenanceRate: string])[]): readonly Tier[] =>
  steps.map(([maxValue, leverage, maintenanceRate]) => ({ maxValue, leverage, maintenanceRate }));

const LADDERS = {
  major: ladder(
    ["150000", 150, "0.004"],
    ["900000", 100, "0.005"],
    ["6000000", 50, "0.01"],
    ["30000000", 20, "0.025"],
    ["120000000", 10, "0.05"],
    ["400000000", 3, "0.15"],
  ),
  large: ladder(
    ["100000", 100, "0.005"],
    ["500000", 75, "0.0075"],
    ["2500000", 50, "0.01"],
    ["12000000", 20, "0.025"],
    ["50000000", 10, "0.05"],
    ["150000000", 2, "0.25"],
  ),
  small: ladder(
    ["20000", 75, "0.01"],
    ["100000", 50, "0.015"],
    ["500000", 20, "0.03"],
    ["2500000", 10, "0.06"],
    ["9000000", 2, "0.25"],
  ),
} as const;

/** One contract. Places are decimals of price and quantity; quantities are the smallest, the largest, the largest at market. */
interface FuturesRow {
  readonly symbol: string;
  readonly coin: string;
  readonly ladder: keyof typeof LADDERS;
  readonly places: readonly [price: number, quantity: number];
  readonly quantity: readonly [min: string, max: string, maxMarket: string];
  readonly making: Omit<Making, "underlying">;
  readonly status?: InstrumentStatus;
  readonly fundingHours?: number;
  readonly delivery?: Delivery;
  readonly calendar?: Calendar;
}

const made = (lot: string, depth: string, spacing: number, premium: number) => ({ lot, depth, spacing, premium });

const row =
  (ending: string) =>
  (
    coin: string,
    ladder: FuturesRow["ladder"],
    places: FuturesRow["places"],
    quantity: FuturesRow["quantity"],
    making: FuturesRow["making"],
    rest: Partial<FuturesRow> = {},
  ): FuturesRow => ({ symbol: coin + ending, coin, ladder, places, quantity, making, ...rest });

const usdt = row("USDT");
const USDT_ROWS: readonly FuturesRow[] = [
  usdt("BTC", "major", [1, 4], ["0.0001", "1200", "220"], made("0.0003", "3.2", 3, 5)),
  usdt("ETH", "major", [2, 2], ["0.01", "20000", "4000"], made("0.01", "48", 3, 6)),
  usdt("SOL", "large", [3, 1], ["0.1", "100000", "20000"], made("0.1", "640", 4, 8)),
  usdt("XRP", "large", [4, 0], ["1", "20000000", "4000000"], made("12", "82000", 1, 4)),
  usdt("DOGE", "large", [5, 0], ["1", "90000000", "20000000"], made("30", "340000", 1, 9)),
  usdt("ADA", "small", [4, 0], ["1", "9000000", "2000000"], made("4", "52000", 1, 3)),
  usdt("LTC", "small", [2, 1], ["0.1", "40000", "9000"], made("0.1", "240", 1, 3)),
  usdt("LINK", "small", [3, 0], ["1", "300000", "60000"], made("1", "2400", 1, 7)),
  usdt("AVAX", "small", [3, 1], ["0.1", "200000", "40000"], made("0.1", "1200", 1, -6)),
  usdt("BNB", "large", [2, 2], ["0.01", "20000", "4000"], made("0.01", "60", 2, -4)),
  usdt("SUI", "small", [4, 1], ["0.1", "2000000", "400000"], made("3", "20000", 1, 11), { fundingHours: 4 }),
  usdt("龙虾", "small", [5, 0], ["1", "20000000", "4000000"], made("90", "900000", 1, 6)),
];

/** Contracts in every other trading status, with the corresponding times. */
const scheduledRows = (startMs: number): readonly FuturesRow[] => {
  const days = (count: number): number => startMs + count * DAY_MS;
  const dot = made("0.3", "4000", 1, 2);
  const trx = made("6", "160000", 1, 3);
  const shib = made("20000", "900000000", 1, 4);
  return [
    usdt("DOT", "small", [3, 1], ["0.1", "500000", "90000"], dot, { status: "maintain", calendar: { maintain: days(-1) } }),
    usdt("TRX", "small", [5, 0], ["1", "9000000", "2000000"], trx, { calendar: { launch: days(12) } }),
    usdt("SHIB", "small", [9, 0], ["1", "90000000000", "9000000000"], shib, {
      calendar: { limitOpen: days(-3), off: days(25) },
    }),
  ];
};

const usdc = row("PERP");
const USDC_ROWS: readonly FuturesRow[] = [
  usdc("BTC", "major", [1, 4], ["0.0001", "400", "90"], made("0.0001", "1.8", 4, 9)),
  usdc("ETH", "major", [2, 2], ["0.01", "8000", "1500"], made("0.01", "26", 4, 9)),
  usdc("SOL", "large", [3, 1], ["0.1", "40000", "9000"], made("0.1", "280", 5, 12)),
  usdc("XRP", "small", [4, 0], ["1", "900000", "90000"], made("2", "12000", 1, 5), { status: "restricted" }),
  usdc("LTC", "small", [2, 1], ["0.1", "9000", "900"], made("0.1", "90", 1, 5), { status: "limitClose" }),
];
const delistedRows = (startMs: number): readonly FuturesRow[] => [
  usdc("DOGE", "small", [5, 0], ["1", "9000000", "900000"], made("10", "90000", 1, 5), {
    calendar: { limitOpen: startMs - 47 * DAY_MS, off: startMs - 40 * DAY_MS },
  }),
];

const usd = row("USD");
const coinRows = (startMs: number): readonly FuturesRow[] => {
  const { code, delivery } = quarterAfter(startMs);
  const quarterly = row(`USD${code}`);
  return [
    usd("BTC", "major", [1, 4], ["0.0001", "600", "120"], made("0.0001", "2.4", 4, 7)),
    usd("ETH", "large", [2, 2], ["0.01", "9000", "1800"], made("0.01", "30", 4, 7)),
    usd("XRP", "small", [4, 0], ["1", "4000000", "900000"], made("2", "24000", 1, 5)),
    quarterly("BTC", "major", [1, 4], ["0.0001", "600", "120"], made("0.0001", "1.1", 6, 610), { delivery }),
  ];
};

const contractOf =
  (category: FuturesCategory, quoteCoin: string) =>
  (row: FuturesRow): FuturesInstrument => {
    const tiers = LADDERS[row.ladder];
    const isInverse = category === "COIN-FUTURES";
    return {
      category,
      symbol: row.symbol,
      baseCoin: row.coin,
      quoteCoin,
      status: row.status ?? "online",
      pricePrecision: row.places[0],
      quantityPrecision: row.places[1],
      quotePrecision: 8,
      minQuantity: row.quantity[0],
      maxQuantity: row.quantity[1],
      minValue: "5",
      buyLimitRatio: "0.05",
      sellLimitRatio: "0.05",
      makerFeeRate: "0.0002",
      takerFeeRate: "0.0006",
      maxOrders: 200,
      making: { underlying: row.coin, ...row.making },
      contract: {
        category,
        marginCoin: isInverse ? row.coin : quoteCoin,
        isInverse,
        fundingHours: row.fundingHours ?? 8,
        maxLeverage: Math.max(...tiers.map(({ leverage }) => leverage)),
        tiers,
        maxMarketQuantity: row.quantity[2],
        ...(row.delivery === undefined ? {} : { delivery: row.delivery }),
        ...(row.calendar === undefined ? {} : { calendar: row.calendar }),
      },
    };
  };

/** All futures of a world that begins at `startMs`. */
export const futuresInstruments = (startMs: number): readonly FuturesInstrument[] => [
  ...[...USDT_ROWS, ...scheduledRows(startMs)].map(contractOf("USDT-FUTURES", "USDT")),
  ...coinRows(startMs).map(contractOf("COIN-FUTURES", "USD")),
  ...[...USDC_ROWS, ...delistedRows(startMs)].map(contractOf("USDC-FUTURES", "USDC")),
];
