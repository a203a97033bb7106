import { amountIn, signed, tone } from "../../format/format.js";
import { t } from "../../text/text.js";
import figures from "../../ui/figures.module.css";
import form from "../../ui/form.module.css";
import type { Change } from "./moves.js";
import type { useRehearsal } from "./useRehearsal.js";

interface Props {
  readonly change: Change;
  readonly rehearsed: ReturnType<typeof useRehearsal>;
}

/** What a change would cost and bring, by its dry run. */
export function Consequences({ change, rehearsed }: Props) {
  const { estimate, errors = [] } = rehearsed ?? {};
  return (
    <dl className={figures.rows} aria-busy={rehearsed === undefined}>
      {change.profit !== undefined && (
        <div>
          <dt>{t("Profit there")}</dt>
          <dd className={tone(change.profit)}>{signed(change.profit, 2)}</dd>
        </div>
      )}
      <div>
        <dt>{t("Worth")}</dt>
        <dd>{amountIn(estimate?.costCoin, estimate?.cost, 2)}</dd>
      </div>
      <div>
        <dt>{t("Fee at most")}</dt>
        <dd>{amountIn(estimate?.costCoin, estimate?.fee, 4)}</dd>
      </div>
      <div>
        <dt>{t("Needs in addition")}</dt>
        <dd>{amountIn(estimate?.requiredCoin, estimate?.required, 4)}</dd>
      </div>
      {estimate?.available !== null && (
        <div>
          <dt>{t("Available")}</dt>
          <dd>{amountIn(estimate?.requiredCoin, estimate?.available, 4)}</dd>
        </div>
      )}
      {errors.map(({ codeRaw, message }) => (
        <div key={message} className={form.errors}>
          <dt>{codeRaw}</dt>
          <dd>{message}</dd>
        </div>
      ))}
    </dl>
  );
}
