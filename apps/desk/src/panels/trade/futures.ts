import { graphql, type ResultOf } from "../../graph/document.js";
import type { Futures } from "../market.js";
import type { Instrument } from "./instrument.js";

export const FuturesSettingsOf = graphql(`
  query FuturesSettingsOf($account: String, $category: FuturesCategoryInput!, $symbol: String!) {
    account(name: $account) {
      futuresSettings(category: $category, symbol: $symbol) {
        symbol
        holdMode
        marginMode
        leverage
        crossedMarginLeverage
        isolatedLongLeverage
        isolatedShortLeverage
      }
    }
  }
`);

export type Settings = NonNullable<NonNullable<ResultOf<typeof FuturesSettingsOf>["account"]>["futuresSettings"]>;

export interface FuturesProps {
  readonly account: string;
  readonly category: Futures;
  readonly symbol: string;
  readonly settings: Settings | undefined;
  readonly instrument: Instrument | undefined;
}

/** The current leverage, from the field that has it. */
export const leverageOf = (settings: Settings | undefined): string | null =>
  settings?.leverage ?? settings?.crossedMarginLeverage ?? settings?.isolatedLongLeverage ?? null;
