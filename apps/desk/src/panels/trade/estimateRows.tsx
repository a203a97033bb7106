import { compareDecimals, subtractDecimals } from "@exchange-graph/client";
import { amount, percent } from "../../format/format.js";
import type { Instrument } from "./instrument.js";
import type { Estimate } from "./usePreview.js";

interface EstimateProps {
  readonly estimate: Estimate | undefined;
  readonly bounds: Pick<Estimate, "maxQty" | "maxQuoteQty"> | undefined;
  readonly instrument: Instrument | undefined;
}

/** Estimated cost and remaining balance of an order; the rows are shown before their values are known. */
export function EstimateRows({ estimate, bounds, instrument }: EstimateProps) {
  const { available, required, requiredCoin = "" } = estimate ?? {};
  const left = available && required ? subtractDecimals(available, required) : undefined;
  return (
    <dl className="rows estimate">
      <div>
        <dt>Worth</dt>
        <dd>
          {amount(estimate?.cost, 2)} {estimate?.costCoin}
        </dd>
      </div>
      <div>
        <dt>Fee at most{estimate?.feeRate ? `, ${percent(estimate.feeRate, 3)}` : ""}</dt>
        <dd>
          {amount(estimate?.fee, 4)} {estimate?.costCoin}
        </dd>
      </div>
      <div>
        <dt>{estimate?.margin ? `Margin${estimate.leverage ? ` at ${amount(estimate.leverage)}×` : ""}` : "Needs"}</dt>
        <dd>
          {amount(estimate?.margin ?? required, 4)} {requiredCoin}
        </dd>
      </div>
      <div>
        <dt>Available</dt>
        <dd>
          {amount(available, 4)} {requiredCoin}
        </dd>
      </div>
      <div>
        <dt>Left after it</dt>
        <dd className={left !== undefined && compareDecimals(left, "0") < 0 ? "down" : ""}>
          {amount(left, 4)} {requiredCoin}
        </dd>
      </div>
      <div>
        <dt>Most</dt>
        <dd>
          {bounds?.maxQuoteQty
            ? `${amount(bounds.maxQuoteQty, 2)} ${instrument?.quoteCoin ?? ""}`
            : `${amount(bounds?.maxQty)} ${instrument?.baseCoin ?? ""}`}
        </dd>
      </div>
    </dl>
  );
}
