import type { Exact } from "@exchange-graph/contract/decimal";

/** Decimals of a sum in USDT or BTC. */
const PLACES = 8;

/** A value in USDT, as text in USDT and in BTC. The latter is computed at the printed price of BTC. */
export function inBtcAndUsdt(value: Exact, usdtPrice: (coin: string) => Exact): { readonly btc: string; readonly usdt: string } {
  const usdt = value.round(PLACES);
  return { btc: usdt.div(usdtPrice("BTC")).toFixed(PLACES), usdt: usdt.toFixed(PLACES) };
}
