import { coins } from "@exchange-graph/contract/coin";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { classicFeeRates, feeRates } from "@exchange-graph/contract/feeRate";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { discountRates } from "@exchange-graph/contract/market";
import { marginPairs, spotSymbols } from "@exchange-graph/contract/pair";
import { Refused } from "../refused.js";
import type { Collateral } from "../world/catalogue/collateral.js";
import type { Instrument } from "../world/catalogue/instrument.js";
import type { MarginPair } from "../world/catalogue/margin.js";
import type { Catalogue } from "../world/catalogue.js";
import { CHAINS, type Chain, TAGGED_CHAINS } from "../world/wallet/chains.js";
import { type Handler, open, signed } from "./handler.js";
import { picked, verbatim } from "./wire/fields.js";

/** Reference data of the Classic interface: symbols, margin pairs, collateral. */
export function catalogueHandlers(catalogue: Catalogue): readonly Handler[] {
  // The lists are constant: each one is rendered once.
  const symbols = verbatim(catalogue.list("SPOT").map(spotSymbol));
  const pairs = verbatim(catalogue.marginPairs.flatMap((pair) => marginPair(pair, catalogue.find("SPOT", pair.symbol))));
  const rates = verbatim(catalogue.collateral.map(discountRate));

  return [
    open(spotSymbols, ({ values }) => {
      if (values.symbol === undefined) return symbols;
      const found = catalogue.find("SPOT", values.symbol);
      if (found === undefined) throw new Refused(REFUSAL.unknownSymbol, "symbol");
      return [spotSymbol(found)];
    }),
    open(marginPairs, () => pairs),
    open(discountRates, () => rates),
  ];
}

const pairFields = (pair: Instrument) => ({
  ...picked(pair, "symbol", "baseCoin", "quoteCoin", "takerFeeRate", "makerFeeRate"),
  minTradeAmount: pair.minQuantity,
  maxTradeAmount: pair.maxQuantity,
  pricePrecision: String(pair.pricePrecision),
  quantityPrecision: String(pair.quantityPrecision),
  minTradeUSDT: pair.minValue,
});

const spotSymbol = (pair: Instrument): unknown => ({
  ...pairFields(pair),
  quotePrecision: String(pair.quotePrecision),
  status: pair.status,
  buyLimitPriceRatio: pair.buyLimitRatio,
  sellLimitPriceRatio: pair.sellLimitRatio,
  orderQuantity: String(pair.maxOrders),
  areaSymbol: "no",
  offTime: "",
  openTime: "",
});

/** The flags are JSON booleans only here. */
const marginPair = (pair: MarginPair, spot: Instrument | undefined): readonly unknown[] =>
  spot === undefined
    ? []
    : [
        {
          ...pairFields(spot),
          maxCrossedLeverage: String(pair.maxCrossedLeverage),
          maxIsolatedLeverage: String(pair.maxIsolatedLeverage),
          ...picked(pair, "warningRiskRatio", "liquidationRiskRatio", "isIsolatedBaseBorrowable", "isIsolatedQuoteBorrowable"),
          isBorrowable: true,
          userMinBorrow: pair.minBorrow,
          status: pair.isUnderMaintenance ? "2" : "1",
          isCrossBorrowable: true,
        },
      ];

/** Marks the top tier, which has no end. */
const NO_END = exact("-1");

const discountRate = ({ coin, userLimit, totalLimit, tiers }: Collateral): unknown => ({
  coin,
  userLimit,
  totalLimit,
  discountRateList: tiers.map(({ minAmount, rate }, at) => ({
    tier: String(at + 1),
    minAmount: plain(minAmount),
    maxAmount: plain(tiers[at + 1]?.minAmount ?? NO_END),
    discountRate: plain(rate),
  })),
});

/** Coins with their chains. `traded`: those in which some instrument trades or settles; others are only withdrawn. */
export const coinHandlers = (traded: readonly string[]): readonly Handler[] => {
  const listed = [...new Set([...traded, ...CHAINS.keys()])];
  return [
    open(coins, ({ values }) =>
      listed.flatMap((coin, at) => (isNamed(coin, values.coin) ? [coinRow(coin, String(at + 1))] : [])),
    ),
  ];
};

const coinRow = (coin: string, coinId: string) => ({
  coinId,
  coin,
  transfer: "true",
  chains: (CHAINS.get(coin) ?? []).map(chainRow),
  areaCoin: "no",
});

/** As everywhere in this answer, flags are texts. */
const chainRow = ({ name, fee }: Chain) => ({
  chain: name,
  needTag: String(TAGGED_CHAINS.has(name)),
  withdrawable: "true",
  rechargeable: "true",
  withdrawFee: fee,
  extraWithdrawFee: "0",
  depositConfirm: "1",
  withdrawConfirm: "1",
  minDepositAmount: fee,
  minWithdrawAmount: plain(exact(fee).times("2")),
  browserUrl: "",
  contractAddress: "",
  withdrawStep: "0",
  withdrawMinScale: "8",
  congestion: "normal",
});

/** Fee rates of accounts. All users trade at the fees of the lowest level, which are those of the instruments. */
export const feeRateHandlers = (catalogue: Catalogue): readonly Handler[] => [
  signed(feeRates, ({ values }) => pairsOf(catalogue, values.category).map(rateOf)),
  signed(classicFeeRates, ({ values: { businessType, symbol } }) => {
    const instruments =
      businessType === "mix" ? catalogue.futures : pairsOf(catalogue, businessType === "spot" ? "SPOT" : "MARGIN");
    return instruments.filter((instrument) => isNamed(instrument.symbol, symbol)).map(rateOf);
  }),
];

/** Instruments of a category; of margin those that can be traded with borrowed coins. */
const pairsOf = (catalogue: Catalogue, category: Parameters<Catalogue["list"]>[0]): readonly Instrument[] =>
  catalogue.list(category).filter(({ symbol }) => category !== "MARGIN" || catalogue.marginPair(symbol) !== undefined);

const rateOf = ({ symbol, makerFeeRate, takerFeeRate }: Instrument) => ({ symbol, makerFeeRate, takerFeeRate });
