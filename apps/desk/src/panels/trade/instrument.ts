import { graphql, type ResultOf } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
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

export const useInstrument = (category: Category, symbol: string) => useRead(InstrumentTerms, { category, symbol });

/** A market on the screen. */
export interface Market {
  readonly category: Category;
  readonly symbol: string;
}
