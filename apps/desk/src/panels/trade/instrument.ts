import { graphql, type ResultOf } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { t } from "../../text/text.js";
import type { Category } from "../market.js";

const InstrumentTerms = graphql(`
  query InstrumentTerms($category: ProductCategoryInput!, $symbol: String!) {
    instrument(category: $category, symbol: $symbol) {
      id
      symbol
      baseCoin
      quoteCoin
      status
      precision {
        price
        quantity
        quote
      }
      orderSize {
        min
        max
        maxMarket
        minAmount
        step
      }
      leverage {
        min
        max
      }
      fees {
        maker
        taker
      }
      fundInterval
      supportMarginCoins
    }
  }
`);

export type Instrument = NonNullable<ResultOf<typeof InstrumentTerms>["instrument"]>;

/** The exchange may change its state. */
const EVERY_MS = 60_000;

export const useInstrument = (category: Category, symbol: string) =>
  useRead(InstrumentTerms, { category, symbol }, { everyMs: EVERY_MS });

const LIMITS: { readonly [status in NonNullable<Instrument["status"]>]?: string } = {
  LIMIT_CLOSE: t("Positions can be opened, not closed"),
  LIMIT_OPEN: t("Positions can be closed, not opened"),
  LISTED: t("Listed, not yet tradable"),
  MAINTAIN: t("Under maintenance, not tradable"),
  OFFLINE: t("Delisted, not tradable"),
  RESTRICTED_API: t("Not tradable through the API"),
};

/** Why a market cannot be traded, or not in full; undefined if it can, or if that is not known. */
export const limitOf = (instrument: Instrument | undefined): string | undefined => LIMITS[instrument?.status ?? "ONLINE"];

/** A market on the screen. */
export interface Market {
  readonly category: Category;
  readonly symbol: string;
}
