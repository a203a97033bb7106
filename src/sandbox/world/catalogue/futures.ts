import type { FuturesCategory } from "../../../contract/vocabulary.js";
import { quarterAfter } from "./delivery.js";
import type { Delivery, FuturesInstrument, InstrumentStatus, Tier } from "./instrument.js";

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

interface FuturesRow {
  readonly symbol: string;
  readonly coin: string;
  readonly ladder: keyof typeof LADDERS;
  readonly places: readonly [price: number, quantity: number];
  /** Units of the last place in one price step. */
  readonly step?: number;
  readonly quantity: readonly [min: string, max: string, maxMarket: string];
  readonly lot: string;
  readonly depth: string;
  readonly spacing: number;
  readonly premium: number;
  readonly status?: InstrumentStatus;
  readonly fundingHours?: number;
  readonly delivery?: Delivery;
}

const USDT_ROWS: readonly FuturesRow[] = [
  {
    symbol: "BTCUSDT",
    coin: "BTC",
    ladder: "major",
    places: [1, 4],
    quantity: ["0.0001", "1200", "220"],
    lot: "0.0003",
    depth: "3.2",
    spacing: 3,
    premium: 5,
  },
  {
    symbol: "ETHUSDT",
    coin: "ETH",
    ladder: "major",
    places: [2, 2],
    quantity: ["0.01", "20000", "4000"],
    lot: "0.01",
    depth: "48",
    spacing: 3,
    premium: 6,
  },
  {
    symbol: "SOLUSDT",
    coin: "SOL",
    ladder: "large",
    places: [3, 1],
    quantity: ["0.1", "100000", "20000"],
    lot: "0.1",
    depth: "640",
    spacing: 4,
    premium: 8,
  },
  {
    symbol: "XRPUSDT",
    coin: "XRP",
    ladder: "large",
    places: [4, 0],
    quantity: ["1", "20000000", "4000000"],
    lot: "12",
    depth: "82000",
    spacing: 1,
    premium: 4,
  },
  {
    symbol: "DOGEUSDT",
    coin: "DOGE",
    ladder: "large",
    places: [5, 0],
    quantity: ["1", "90000000", "20000000"],
    lot: "30",
    depth: "340000",
    spacing: 1,
    premium: 9,
  },
  {
    symbol: "ADAUSDT",
    coin: "ADA",
    ladder: "small",
    places: [4, 0],
    quantity: ["1", "9000000", "2000000"],
    lot: "4",
    depth: "52000",
    spacing: 1,
    premium: 3,
  },
  {
    symbol: "LTCUSDT",
    coin: "LTC",
    ladder: "small",
    places: [2, 1],
    quantity: ["0.1", "40000", "9000"],
    lot: "0.1",
    depth: "240",
    spacing: 1,
    premium: 3,
  },
  {
    symbol: "LINKUSDT",
    coin: "LINK",
    ladder: "small",
    places: [3, 0],
    quantity: ["1", "300000", "60000"],
    lot: "1",
    depth: "2400",
    spacing: 1,
    premium: 7,
  },
  {
    symbol: "AVAXUSDT",
    coin: "AVAX",
    ladder: "small",
    places: [3, 1],
    quantity: ["0.1", "200000", "40000"],
    lot: "0.1",
    depth: "1200",
    spacing: 1,
    premium: -6,
  },
  {
    symbol: "BNBUSDT",
    coin: "BNB",
    ladder: "large",
    places: [2, 2],
    quantity: ["0.01", "20000", "4000"],
    lot: "0.01",
    depth: "60",
    spacing: 2,
    premium: -4,
  },
  {
    symbol: "SUIUSDT",
    coin: "SUI",
    ladder: "small",
    places: [4, 1],
    quantity: ["0.1", "2000000", "400000"],
    lot: "3",
    depth: "20000",
    spacing: 1,
    premium: 11,
    fundingHours: 4,
  },
  {
    symbol: "DOTUSDT",
    coin: "DOT",
    ladder: "small",
    places: [3, 1],
    quantity: ["0.1", "500000", "90000"],
    lot: "0.3",
    depth: "4000",
    spacing: 1,
    premium: 2,
    status: "halt",
  },
];

const USDC_ROWS: readonly FuturesRow[] = [
  {
    symbol: "BTCPERP",
    coin: "BTC",
    ladder: "major",
    places: [1, 4],
    quantity: ["0.0001", "400", "90"],
    lot: "0.0001",
    depth: "1.8",
    spacing: 4,
    premium: 9,
  },
  {
    symbol: "ETHPERP",
    coin: "ETH",
    ladder: "major",
    places: [2, 2],
    quantity: ["0.01", "8000", "1500"],
    lot: "0.01",
    depth: "26",
    spacing: 4,
    premium: 9,
  },
  {
    symbol: "SOLPERP",
    coin: "SOL",
    ladder: "large",
    places: [3, 1],
    quantity: ["0.1", "40000", "9000"],
    lot: "0.1",
    depth: "280",
    spacing: 5,
    premium: 12,
  },
];

const coinRows = (startMs: number): readonly FuturesRow[] => {
  const quarter = quarterAfter(startMs);
  const bitcoin = { coin: "BTC", ladder: "major", places: [1, 4], quantity: ["0.0001", "600", "120"] } as const;
  return [
    { symbol: "BTCUSD", ...bitcoin, lot: "0.0001", depth: "2.4", spacing: 4, premium: 7 },
    {
      symbol: "ETHUSD",
      coin: "ETH",
      ladder: "large",
      places: [2, 2],
      quantity: ["0.01", "9000", "1800"],
      lot: "0.01",
      depth: "30",
      spacing: 4,
      premium: 7,
    },
    {
      symbol: "XRPUSD",
      coin: "XRP",
      ladder: "small",
      places: [4, 0],
      quantity: ["1", "4000000", "900000"],
      lot: "2",
      depth: "24000",
      spacing: 1,
      premium: 5,
    },
    {
      symbol: `BTCUSD${quarter.code}`,
      ...bitcoin,
      lot: "0.0001",
      depth: "1.1",
      spacing: 6,
      premium: 610,
      delivery: quarter.delivery,
    },
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
      priceStep: row.step ?? 1,
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
      making: { underlying: row.coin, premium: row.premium, lot: row.lot, spacing: row.spacing, depth: row.depth },
      contract: {
        category,
        marginCoin: isInverse ? row.coin : quoteCoin,
        isInverse,
        fundingHours: row.fundingHours ?? 8,
        maxLeverage: Math.max(...tiers.map(({ leverage }) => leverage)),
        tiers,
        maxMarketQuantity: row.quantity[2],
        ...(row.delivery === undefined ? {} : { delivery: row.delivery }),
      },
    };
  };

/** All futures that a world which begins at `startMs` lists. */
export const futuresInstruments = (startMs: number): readonly FuturesInstrument[] => [
  ...USDT_ROWS.map(contractOf("USDT-FUTURES", "USDT")),
  ...coinRows(startMs).map(contractOf("COIN-FUTURES", "USD")),
  ...USDC_ROWS.map(contractOf("USDC-FUTURES", "USDC")),
];
