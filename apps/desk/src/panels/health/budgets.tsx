import { percent } from "../../format/format.js";
import { t } from "../../text/text.js";
import gauges from "../../ui/gauges.module.css";
import { Panel } from "../../ui/panel.js";
import { Tag } from "../../ui/tag.js";
import styles from "./budgets.module.css";
import type { Exchange, HealthFeed } from "./health.js";

type RateBudget = Exchange["budgets"][number];

/** Sorts the limit of the whole address first, then the most used ones. */
const byNeed = (a: RateBudget, b: RateBudget): number => {
  if (a.endpoint === "(all)" || b.endpoint === "(all)") return a.endpoint === "(all)" ? -1 : 1;
  return a.left * b.limit - b.left * a.limit || b.waiting - a.waiting || a.endpoint.localeCompare(b.endpoint);
};

const LOW = 0.2;
const SECOND_MS = 1_000;

function Budget({
  budget: { endpoint, counter, limit, left, waiting, windowMs },
  shares,
}: {
  readonly budget: RateBudget;
  readonly shares: Exchange["sharedCounters"];
}) {
  const shared = shares.find((share) => share.counter === counter);
  const mood = left === 0 ? "bad" : left <= limit * LOW ? "fair" : "good";
  const label = `${endpoint === "(all)" ? t("All calls") : endpoint}, ${counter}`;
  return (
    <li>
      <span className={gauges.gaugeName} title={label}>
        {endpoint === "(all)" ? t("All calls") : endpoint} <small className="muted">{counter}</small>
      </span>
      <span className="number">
        {left}{" "}
        <small className="muted">
          {t("of")} {limit} {t("in")} {windowMs / SECOND_MS} s
        </small>
        {waiting > 0 && (
          <>
            {" "}
            <Tag tone="warn">
              {waiting} {t("wait")}
            </Tag>
          </>
        )}{" "}
        {shared !== undefined && (
          <Tag tone="warn">
            {t("shared,")} {percent(shared.share, 0)} {t("ours")}
          </Tag>
        )}
      </span>
      <meter className={styles.meter} data-mood={mood} min={0} max={limit} value={left} aria-label={label}>
        {left}
      </meter>
    </li>
  );
}

/** Remaining calls of each rate limit. */
export function BudgetsPanel({ feed }: { readonly feed: HealthFeed }) {
  const state = feed.data?.exchange;
  return (
    <Panel title={t("Rate budgets")} feeds={[feed]} has={state !== undefined}>
      <ul data-list="gauges" className={gauges.gauges}>
        {[...(state?.budgets ?? [])].sort(byNeed).map((budget) => (
          <Budget key={`${budget.endpoint} ${budget.counter}`} budget={budget} shares={state?.sharedCounters ?? []} />
        ))}
      </ul>
    </Panel>
  );
}
