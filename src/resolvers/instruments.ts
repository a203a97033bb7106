import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { Row } from "../datasources/index.js";
import { type ListedInstrument, readInstruments } from "../datasources/reads/index.js";
import { Cost } from "../schema/cost.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import {
  Borrowable,
  Delivery,
  FeeRates,
  Instrument,
  LeverageRange,
  MaxLeverage,
  OrderSize,
  Precision,
  PriceLimits,
  RiskRatios,
} from "../schema/instrument.js";
import { rowsOf, SYMBOLS, symbolRows } from "../schema/listLengths.js";
import { Ticker } from "../schema/market.js";
import { InheritsScope, RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import type { RequestContext } from "./context.js";
import { instrumentJoin, joined, tickerJoin } from "./fieldCosts.js";
import { EACH } from "./market.js";
import { ONLY_SYMBOLS, SYMBOL } from "./pageArguments.js";

/** Null if all fields are null. */
const unlessEmpty = <T extends object>(group: T): T | null =>
  Object.values(group).some((value) => value !== null) ? group : null;

@Resolver(() => Instrument)
export class InstrumentResolver {
  @RequiresScope("read:market")
  @Cost({ ...instrumentJoin, rows: symbolRows((place, one) => rowsOf(place, "instruments", SYMBOLS, one)) })
  @Query(() => [Instrument], {
    nullable: "itemsAndList",
    description: "Instruments of a category, or of all. Up to five minutes old. Source: GET /api/v3/market/instruments",
  })
  instruments(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => ProductCategoryInput, EACH) category?: ProductCategoryInput | null,
    @Arg("symbols", () => [String], ONLY_SYMBOLS) symbols?: readonly string[] | null,
  ): Promise<readonly Row<Instrument>[]> {
    return readInstruments(reads, category, symbols);
  }

  @RequiresScope("read:market")
  @Cost(instrumentJoin)
  @Query(() => Instrument, {
    nullable: true,
    description: "One instrument; null if the category has none with that name. Source: GET /api/v3/market/instruments",
  })
  instrument(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => ProductCategoryInput, { description: "Product category" }) category: ProductCategoryInput,
    @Arg("symbol", () => String, SYMBOL) symbol: string,
  ): Promise<Instrument | null> {
    return reads.loaders.instrument(category, symbol);
  }

  @RequiresScope("read:market")
  @Cost(tickerJoin)
  @FieldResolver(() => Ticker, {
    nullable: true,
    description:
      "Its ticker; null if it is not quoted. One call per category for any number of instruments. Source: GET /api/v3/market/tickers",
  })
  ticker(@Root() { category, symbol }: ListedInstrument, @Ctx() { reads }: RequestContext): Promise<Ticker | null> {
    return reads.loaders.ticker(category, symbol);
  }

  @RequiresScope("read:market")
  @Cost(joined("contracts"))
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Largest share of the open positions for one user, as a fraction; null outside futures. One call per category for any number of instruments. Source: GET /api/v2/mix/market/contracts",
  })
  async posLimit(
    @Root() { category, symbol, posLimit }: ListedInstrument,
    @Ctx() { reads }: RequestContext,
  ): Promise<string | null> {
    return posLimit ?? (await reads.loaders.contract(category, symbol))?.posLimit ?? null;
  }

  @RequiresScope("read:market")
  @Cost(joined("contracts"))
  @FieldResolver(() => [String], {
    nullable: true,
    description:
      "Coins that serve as margin; null outside futures. One call per category for any number of instruments. Source: GET /api/v2/mix/market/contracts",
  })
  async supportMarginCoins(
    @Root() { category, symbol, supportMarginCoins }: ListedInstrument,
    @Ctx() { reads }: RequestContext,
  ): Promise<readonly string[] | null> {
    return supportMarginCoins ?? (await reads.loaders.contract(category, symbol))?.supportMarginCoins ?? null;
  }

  @RequiresScope("read:market")
  @Cost(joined("marginPairs", "spotSymbols"))
  @FieldResolver(() => FeeRates, {
    nullable: true,
    description:
      "Default fees: an account may have other rates; null where the exchange lists none. Those of spot and margin pairs are in separate lists, read once for all instruments. Source: GET /api/v3/market/instruments, GET /api/v2/spot/public/symbols or GET /api/v2/margin/currencies",
  })
  async fees(@Root() instrument: ListedInstrument, @Ctx() { reads }: RequestContext): Promise<FeeRates | null> {
    const { category, symbol, makerFeeRate: maker, takerFeeRate: taker } = instrument;
    if (maker !== null || taker !== null) return { maker, taker };
    if (category === "SPOT") return (await reads.loaders.spotSymbol(symbol))?.fees ?? null;
    return category === "MARGIN" ? ((await reads.loaders.marginPair(symbol))?.fees ?? null) : null;
  }

  @InheritsScope()
  @FieldResolver(() => Precision, {
    nullable: true,
    description: "Maximum decimals of prices and amounts (`pricePlace`, `volumePlace`); null if the exchange sends none",
  })
  precision(@Root() { pricePrecision, quantityPrecision, quotePrecision }: ListedInstrument): Precision | null {
    return unlessEmpty({ price: pricePrecision, quantity: quantityPrecision, quote: quotePrecision });
  }

  @InheritsScope()
  @FieldResolver(() => OrderSize, { description: "Minimum, maximum and step of orders" })
  orderSize(
    @Root() { minOrderQty, maxOrderQty, maxMarketOrderQty, minOrderAmount, quantityMultiplier }: ListedInstrument,
  ): OrderSize {
    return {
      min: minOrderQty,
      max: maxOrderQty,
      maxMarket: maxMarketOrderQty,
      minAmount: minOrderAmount,
      step: quantityMultiplier,
    };
  }

  @InheritsScope()
  @FieldResolver(() => PriceLimits, {
    nullable: true,
    description: "Price range of orders around the market; null if the exchange does not send it",
  })
  priceLimits(@Root() { buyLimitPriceRatio, sellLimitPriceRatio }: ListedInstrument): PriceLimits | null {
    return unlessEmpty({ buy: buyLimitPriceRatio, sell: sellLimitPriceRatio });
  }

  @InheritsScope()
  @FieldResolver(() => LeverageRange, { nullable: true, description: "Leverage range of the contract; futures only" })
  leverage(@Root() { minLeverage, maxLeverage }: ListedInstrument): LeverageRange | null {
    return unlessEmpty({ min: minLeverage, max: maxLeverage });
  }

  @InheritsScope()
  @FieldResolver(() => MaxLeverage, { nullable: true, description: "Highest leverage by margin mode; margin only" })
  maxLeverage(@Root() { maxCrossedLeverage, maxIsolatedLeverage }: ListedInstrument): MaxLeverage | null {
    return unlessEmpty({ crossed: maxCrossedLeverage, isolated: maxIsolatedLeverage });
  }

  @InheritsScope()
  @FieldResolver(() => RiskRatios, {
    nullable: true,
    description: "Risk ratios at which the exchange warns and liquidates; margin only",
  })
  riskRatios(@Root() { warningRiskRatio, liquidationRiskRatio }: ListedInstrument): RiskRatios | null {
    return unlessEmpty({ warning: warningRiskRatio, liquidation: liquidationRiskRatio });
  }

  @InheritsScope()
  @FieldResolver(() => Borrowable, { description: "Whether each of its coins can be borrowed; margin only" })
  borrowable(@Root() { isIsolatedBaseBorrowable, isIsolatedQuoteBorrowable }: ListedInstrument): Borrowable {
    return { isIsolatedBaseBorrowable, isIsolatedQuoteBorrowable, isCrossBorrowable: null };
  }

  @InheritsScope()
  @FieldResolver(() => Delivery, { nullable: true, description: "Its delivery; delivery futures only" })
  delivery(@Root() { deliveryStartTime, deliveryTime, deliveryPeriod }: ListedInstrument): Delivery | null {
    return unlessEmpty({ startTime: deliveryStartTime, time: deliveryTime, period: deliveryPeriod });
  }

  @InheritsScope()
  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      "Whether the base is a real-world asset (`isRwa` on futures, `isReality` on spot); null if the exchange does not send it",
  })
  isRealWorldAsset(@Root() { isRwa, isReality }: ListedInstrument): boolean | null {
    return isRwa ?? isReality;
  }
}
