import { compareDecimals, divideDecimals, subtractDecimals } from "@exchange-graph/client";
import { amount, NONE, percent, signed, signedPercent, tone, words } from "../format/format.js";
import type { Position } from "../live/positions.js";
import { t } from "../text/text.js";
import type { Column } from "../ui/csv.js";
import styles from "./positionColumns.module.css";
import { SideCell, SymbolCell } from "./symbolCell.js";

/** Distance of the mark price from liquidation, as a fraction of the mark price. */
function distance({ markPrice, liquidationPrice }: Position): string | null {
  if (markPrice === null || liquidationPrice === null || compareDecimals(markPrice, "0") <= 0) return null;
  return divideDecimals(subtractDecimals(markPrice, liquidationPrice).replace("-", ""), markPrice, 6);
}

/** Below this distance a warning is shown. */
const NEAR = "0.1";
/** Amounts in a margin coin have more decimals than amounts in dollars. */
const decimalsOf = ({ category }: Position): number => (category === "COIN_FUTURES" ? 6 : 2);
const price = (value: string | null | undefined, { instrument }: Position) => amount(value, instrument?.precision?.price);

/** The first ones are beside the actions on a narrow screen too. */
export const positionColumns: readonly Column<Position>[] = [
  {
    id: "symbol",
    title: t("Market"),
    value: ({ symbol }) => symbol,
    cell: ({ symbol, category, posSide }) => (
      <>
        <SymbolCell category={category} symbol={symbol} /> <SideCell side={posSide} />
      </>
    ),
    isHead: true,
  },
  {
    id: "qty",
    title: t("Quantity"),
    value: ({ qty }) => qty,
    cell: ({ qty, instrument }) => (
      <span>
        {amount(qty)} <small className={`muted ${styles.spare}`}>{instrument?.baseCoin}</small>
      </span>
    ),
    isNumber: true,
  },
  {
    id: "profit",
    title: t("Unrealised"),
    value: ({ unrealisedPnl }) => unrealisedPnl,
    cell: (row) => (
      <span className={tone(row.unrealisedPnl)}>
        {signed(row.unrealisedPnl, decimalsOf(row))} {row.marginCoin}{" "}
        <small className={styles.spare}>{signedPercent(row.profitRate)}</small>
      </span>
    ),
    isNumber: true,
  },
  {
    id: "liquidation",
    title: t("Liquidation"),
    value: ({ liquidationPrice }) => liquidationPrice,
    cell: (row) => {
      const far = distance(row);
      if (far === null) return NONE;
      const isNear = compareDecimals(far, NEAR) < 0;
      return (
        <span>
          {price(row.liquidationPrice, row)}{" "}
          <small className={isNear ? "down" : "muted"} title={t("Distance of the mark price")}>
            {isNear && t("near ")}
            {percent(far, 1)}
          </small>
        </span>
      );
    },
    isNumber: true,
  },
  { id: "entry", title: t("Entry"), value: ({ avgPrice }) => avgPrice, cell: (row) => price(row.avgPrice, row), isNumber: true },
  { id: "mark", title: t("Mark"), value: ({ markPrice }) => markPrice, cell: (row) => price(row.markPrice, row), isNumber: true },
  {
    id: "mode",
    title: t("Mode"),
    value: ({ marginMode, leverage }) => `${marginMode} ${leverage}`,
    cell: ({ marginMode, leverage }) => `${words(marginMode)} ${amount(leverage)}×`,
  },
  {
    id: "margin",
    title: t("Margin"),
    value: ({ margin }) => margin,
    cell: (row) => (
      <span>
        {amount(row.margin, decimalsOf(row))} <small className="muted">{row.marginCoin}</small>
      </span>
    ),
    isNumber: true,
  },
  {
    id: "value",
    title: t("Value"),
    value: ({ notional }) => notional,
    cell: ({ notional }) => amount(notional, 2),
    isNumber: true,
  },
  {
    id: "exits",
    title: "TP / SL",
    value: ({ takeProfit, stopLoss }) => `${takeProfit?.triggerPrice ?? ""} / ${stopLoss?.triggerPrice ?? ""}`,
    cell: (row) => `${price(row.takeProfit?.triggerPrice, row)} / ${price(row.stopLoss?.triggerPrice, row)}`,
    isNumber: true,
  },
];
