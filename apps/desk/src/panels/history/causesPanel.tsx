import { signed, tone } from "../../format/format.js";
import { useRead } from "../../graph/useRead.js";
import { t } from "../../text/text.js";
import figures from "../../ui/figures.module.css";
import { Panel } from "../../ui/panel.js";
import styles from "./causesPanel.module.css";
import { ReadPerformance } from "./documents.js";
import type { Row } from "./figures.js";
import { profitIn } from "./month.js";
import { Incomplete, missingIn, shown } from "./shown.js";
import { reasonWords } from "./words.js";

type Change = NonNullable<Row["change"]>;

const FLOWS: readonly { readonly of: keyof Change; readonly name: string }[] = [
  { of: "deposits", name: t("Deposits") },
  { of: "withdrawals", name: t("Withdrawals") },
  { of: "transfers", name: t("Transfers") },
  { of: "loans", name: t("Loans and pledges") },
  { of: "earn", name: t("Earn products") },
];
const PROFITS: readonly { readonly of: keyof Change; readonly name: string }[] = [
  { of: "trades", name: t("Trades") },
  { of: "fees", name: t("Fees") },
  { of: "funding", name: t("Funding") },
  { of: "interest", name: t("Interest") },
  { of: "unrealised", name: t("Unrealised profit") },
  { of: "revaluation", name: t("Changed prices") },
  { of: "other", name: t("Other") },
  { of: "rounding", name: t("Rounding") },
  { of: "unexplained", name: t("Unexplained") },
];

interface Props {
  readonly account: string;
  readonly isOne: boolean;
  readonly from: string;
  readonly to: string | null;
}

/** Why equity changed in the range: the causes add up to the change. */
export function CausesPanel({ account, isOne, from, to }: Props) {
  const variables = { account: isOne ? account : null, one: isOne, from, to, by: "ACCOUNT" } as const;
  const feed = useRead(ReadPerformance, variables, { everyMs: to === null ? 60_000 : undefined });
  const rows = isOne ? feed.data?.account?.performance : feed.data?.performance;
  // Of several accounts the last row is that of all together.
  const row = rows?.at(-1);
  const change = row?.change ?? null;
  const reason = row?.timeWeightedReturn.reason ?? "CHANGES_NOT_KNOWN";
  const nothing = rows?.length === 0 ? t("Nothing is recorded in this range") : change === null && reasonWords(reason);
  const state = shown([feed], { has: rows !== undefined && rows !== null, empty: nothing });
  return (
    <Panel
      title={t("Why equity changed")}
      {...state}
      bodyClassName={styles.causes}
      actions={<Incomplete missing={missingIn(rows)} />}
    >
      {change !== null && (
        <>
          <Causes title={t("Flows, no profit")} total={change.flows} change={change} causes={FLOWS} />
          <Causes title={t("Profit")} total={profitIn(change)} change={change} causes={PROFITS} />
          <dl className={`${figures.rows} ${styles.total}`}>
            <div>
              <dt>{t("Change of equity")}</dt>
              <dd className={tone(change.total)}>{signed(change.total, 2)} USDT</dd>
            </div>
          </dl>
        </>
      )}
    </Panel>
  );
}

interface CausesProps {
  readonly title: string;
  readonly total: string | null;
  readonly change: Change;
  readonly causes: typeof FLOWS;
}

const Causes = ({ title, total, change, causes }: CausesProps) => (
  <section>
    <h3>
      {title} <span className="number">{signed(total, 2)}</span>
    </h3>
    <dl className={figures.rows}>
      {causes.map(({ of, name }) => (
        <div key={of} className={tone(change[of]) === "flat" ? "muted" : ""}>
          <dt>{name}</dt>
          <dd className={tone(change[of])}>{signed(change[of], 2)}</dd>
        </div>
      ))}
    </dl>
  </section>
);
