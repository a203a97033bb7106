import type { Exact } from "@exchange-graph/contract/decimal";

/** Decimals of a sum in USDT or BTC. */
const PLACES = 8;

/** A value in USDT, as the exchange writes it in USDT and in BTC. The one is the other at the price of BTC, as printed. */
export function inBtcAndUsdt(value: Exact, usdtPrice: (coin: string) => Exact): { readonly btc: string; readonly usdt: string } {
  const usdt = value.round(PLACES);
  return { btc: usdt.div(usdtPrice("BTC")).toFixed(PLACES), usdt: usdt.toFixed(PLACES) };
}
