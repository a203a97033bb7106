import { type Exact, exact, isZero } from "@exchange-graph/contract/decimal";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { AccountFacts } from "./accountFacts.js";
import { written } from "./positionFigures.js";

/** A value of a coin that the exchange sent, from which the price that it used follows. */
export interface SentValue {
  readonly coin: string;
  gives(price: Exact): boolean;
}

const value = (coin: string, amount: string | null, worth: string | null): readonly SentValue[] =>
  amount === null || worth === null || isZero(amount)
    ? []
    : [{ coin, gives: (price) => written(exact(amount).times(price)) === worth }];

const inBtc = (usdt: string | null, btc: string | null): readonly SentValue[] =>
  usdt === null || btc === null || isZero(btc)
    ? []
    : [{ coin: "BTC", gives: (price) => written(exact(usdt).div(price)) === btc }];

/** The values of a part of an account. */
export function sentValues({ unified, wallets }: AccountFacts): readonly SentValue[] {
  if (unified === null)
    return wallets.flatMap(({ marginCoin, equity, equityUsdt, equityBtc }) => [
      ...value(marginCoin, equity, equityUsdt),
      ...inBtc(equityUsdt, equityBtc),
    ]);
  return [
    ...rowsRead(unified.assets).flatMap(({ coin, equity, valueUsd }) => value(coin, equity, valueUsd)),
    ...inBtc(unified.equityUsdt, unified.equityBtc),
  ];
}
