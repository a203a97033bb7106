import { discountRates, type FUND_FLOW_PERIODS, spotFundFlow } from "@exchange-graph/contract/market";
import { marginPairs, spotSymbols } from "@exchange-graph/contract/pair";
import type { Reads } from "../reads/reads.js";
import { rowWhere } from "../rows.js";
import { type Names, named } from "./named.js";
import { listedMarginPairs, listedSpotSymbols } from "./tradingRules.js";

/** Spot pairs with their rules. The whole list is read and kept: one call answers every question about pairs. */
export const readSpotSymbols = async (reads: Reads, symbols?: Names) =>
  named(listedSpotSymbols(await reads.read(spotSymbols, {})), (row) => row.symbol, "symbols", symbols);

/** One spot pair, or nothing. */
export const readSpotSymbol = async (reads: Reads, symbol: string) =>
  rowWhere(await readSpotSymbols(reads, [symbol]), () => true);

/** Pairs that can be traded on margin: the same for everybody, but shown to signed calls. The first account signs. */
export const readMarginPairs = async (reads: Reads, symbols?: Names) =>
  named(listedMarginPairs(await reads.read(marginPairs, {}, reads.signer)), (row) => row.symbol, "symbols", symbols);

/** How much of each coin's value counts as collateral. */
export const readDiscountRates = async (reads: Reads, coins?: Names) =>
  named(await reads.read(discountRates, {}), (row) => row.coin, "coins", coins);

/** Who bought and sold on the spot market. */
export const readSpotFundFlow = (
  reads: Reads,
  {
    symbol,
    period,
  }: { readonly symbol?: string | null | undefined; readonly period?: (typeof FUND_FLOW_PERIODS)[number] | null | undefined },
) => reads.read(spotFundFlow, { symbol: symbol ?? undefined, period: period ?? undefined });
