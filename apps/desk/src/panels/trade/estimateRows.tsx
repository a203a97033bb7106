import { compareDecimals, subtractDecimals } from "@exchange-graph/client";
import { amount, amountIn, percent } from "../../format/format.js";
import { span } from "../../format/time.js";
import { seconds } from "../../state/clock.js";
import { useStore } from "../../state/store.js";
import { t } from "../../text/text.js";
import figures from "../../ui/figures.module.css";
import styles from "./estimateRows.module.css";
import type { Instrument } from "./instrument.js";
import type { Costs, Most } from "./usePreview.js";

interface EstimateProps {
  readonly costs: Costs | undefined;
  /** Null: it has none that is known. */
  readonly most: Most | null | undefined;
  readonly instrument: Instrument | undefined;
}

/** Costs older than this are marked, ms: they are read again every 15 s. */
const OLD_MS = 20_000;

/**
 * Estimated cost and remaining balance of an order; the rows are shown before their values are known. Values of an earlier order,
 * and old ones, are marked with their age.
 */
export function EstimateRows({ costs, most, instrument }: EstimateProps) {
  const time = useStore(seconds);
  const estimate = costs?.estimate;
  const age = costs === undefined ? 0 : Math.max(0, time - costs.at);
  const isOld = costs !== undefined && (!costs.isCurrent || age > OLD_MS);
  const { available, required, requiredCoin } = estimate ?? {};
  const left = available && required ? subtractDecimals(available, required) : undefined;
  /** Why a figure of an estimate is missing. */
  const missing = (figure: string | null | undefined, reason: string) =>
    estimate !== undefined && !figure ? { title: reason } : {};
  const unknownNeed = missing(estimate?.margin ?? required, t("The leverage or the rate of the fee is not known"));
  const unknownFunds = missing(available, t("The exchange does not send what is free for this market"));
  return (
    <dl className={`${figures.rows} ${styles.estimate}`} data-aged={isOld}>
      <div>
        <dt>
          {t("Worth")}
          {isOld && (
            <small>
              , {costs.isCurrent ? t("{age} ago", { age: span(age) }) : t("of the order before, {age} ago", { age: span(age) })}
            </small>
          )}
        </dt>
        <dd>{amountIn(estimate?.costCoin, estimate?.cost, 2)}</dd>
      </div>
      <div>
        <dt>
          {t("Fee at most")}
          {estimate?.feeRate ? `, ${percent(estimate.feeRate, 3)}` : ""}
        </dt>
        <dd {...missing(estimate?.fee, t("The rate of the fee is not known"))}>
          {amountIn(estimate?.costCoin, estimate?.fee, 4)}
        </dd>
      </div>
      <div>
        <dt>
          {estimate?.margin
            ? t("Margin{value}", {
                value: estimate.leverage ? ` ${amount(estimate.leverage)}×` : "",
              })
            : t("Needs")}
        </dt>
        <dd {...unknownNeed}>{amountIn(requiredCoin, estimate?.margin ?? required, 4)}</dd>
      </div>
      <div>
        <dt>{t("Available")}</dt>
        <dd {...unknownFunds}>{amountIn(requiredCoin, available, 4)}</dd>
      </div>
      <div>
        <dt>{t("Left after it")}</dt>
        <dd className={left !== undefined && compareDecimals(left, "0") < 0 ? "down" : ""} {...unknownFunds} {...unknownNeed}>
          {amountIn(requiredCoin, left, 4)}
        </dd>
      </div>
      {most !== null && (
        <div>
          <dt>{t("Most")}</dt>
          <dd>
            {most?.maxQuoteQty
              ? amountIn(instrument?.quoteCoin, most.maxQuoteQty, 2)
              : `${amount(most?.maxQty)} ${instrument?.baseCoin ?? ""}`}
          </dd>
        </div>
      )}
    </dl>
  );
}
