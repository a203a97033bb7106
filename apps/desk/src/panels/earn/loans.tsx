import { compareDecimals, divideDecimals, multiplyDecimals } from "@exchange-graph/client";
import { amount, highestFirst, percent } from "../../format/format.js";
import { dateTime } from "../../format/time.js";
import { totalOf } from "../../format/total.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { Latest } from "../../graph/latest.js";
import { useRead } from "../../graph/useRead.js";
import { useAccount } from "../../live/accounts.js";
import { useRows } from "../../live/rows.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import { Figure } from "../../ui/controls.js";
import figures from "../../ui/figures.module.css";
import { Panel } from "../../ui/panel.js";
import { Tag } from "../../ui/tag.js";
import { Together } from "../../ui/together.js";
import styles from "./loans.module.css";

const WatchLoans = graphql(`
  subscription WatchLoans($account: String) {
    loans(account: $account, pace: { mode: LATEST, everyMs: 1000 }) {
      loans {
        id
        orderId
        loanCoin
        pledgeCoin
        loanAmount
        interestAmount
        pledgeAmount
        hourlyRate
        currentLtv
        ltv
        marginCallLtv
        liquidationLtv
        distanceToLiquidation
        borrowTime
        expireTime
      }
    }
  }
`);

const Debts = graphql(`
  query Debts($account: String) {
    account(name: $account) {
      loans {
        debts {
          loans {
            coin
            amount
            amountUsdt
          }
          pledges {
            coin
            amount
            amountUsdt
          }
        }
      }
    }
  }
`);

type Loan = NonNullable<ResultOf<typeof WatchLoans>["loans"]["loans"]>[number];
const loansOf = new Latest(WatchLoans, ({ loans: { loans } }) => loans);
const HOURS_OF_A_YEAR = "8760";

/** Each loan as a bar of its loan-to-value, with marks for the margin call and the liquidation. */
export function LoansPanel() {
  const account = useAccount();
  const { rows: loans, feed } = useRows(loansOf, account, {});
  const read = useRead(Debts, { account }, { everyMs: 30_000 });
  const debts = read.data?.account?.loans.debts;
  return (
    <Panel
      title={t("Loans")}
      feeds={[feed, read]}
      has={loans !== undefined}
      empty={loans?.length === 0 && t("No loans")}
      actions={
        <>
          <Together label={t("Owed")} total={worthOf(debts?.loans)} />
          <Together label={t("Pledged")} total={worthOf(debts?.pledges)} />
        </>
      }
    >
      <ul data-list="loans" className={styles.loans}>
        {loans && [...loans].sort(byRisk).map((loan) => <LoanRow key={loan.id} loan={loan} />)}
      </ul>
    </Panel>
  );
}

/** Value of debts or pledges, in USDT. */
const worthOf = (rows: readonly ({ readonly coin: string; readonly amountUsdt: string | null } | null)[] | null | undefined) =>
  totalOf(rows?.map((row) => ({ name: row?.coin ?? t("a row"), value: row?.amountUsdt ?? null })));

const byRisk = (a: Loan, b: Loan): number => highestFirst(a.currentLtv ?? a.ltv, b.currentLtv ?? b.ltv);

/** Position of a fraction on a bar from 0 to 1. */
const place = (fraction: string): string => `${divideDecimals(multiplyDecimals(fraction, "100"), "1", 2)}%`;

function LoanRow({ loan }: { readonly loan: Loan }) {
  const { zone } = useSettings();
  const ltv = loan.currentLtv ?? loan.ltv;
  const { marginCallLtv: call, liquidationLtv: liquidation } = loan;
  const isOver = (mark: string | null) => ltv !== null && mark !== null && compareDecimals(ltv, mark) >= 0;
  const mood = isOver(liquidation) ? "bad" : isOver(call) ? "fair" : "good";
  const yearly = loan.hourlyRate === null ? null : multiplyDecimals(loan.hourlyRate, HOURS_OF_A_YEAR);
  return (
    <li data-mood={mood}>
      <div className={styles.loanHead}>
        <b>
          {amount(loan.loanAmount)} {loan.loanCoin}
        </b>
        <span className="muted">
          {t("against")} {amount(loan.pledgeAmount)} {loan.pledgeCoin}
        </span>
        <span className={styles.loanLtv}>
          LTV <b>{percent(ltv, 2)}</b>
          {mood === "fair" && <Tag tone="warn">{t("called")}</Tag>}
          {mood === "bad" && <Tag tone="down">{t("liquidation")}</Tag>}
        </span>
      </div>
      <div
        className={styles.ltv}
        role="img"
        aria-label={t("Loan-to-value {ltv}; called at {call}, liquidated at {liquidation}", {
          ltv: percent(ltv),
          call: percent(call),
          liquidation: percent(liquidation),
        })}
      >
        <i className={styles.ltvFill} style={{ width: ltv === null ? "0" : place(ltv) }} />
        {call !== null && <i className={`${styles.mark} ${styles.call}`} style={{ insetInlineStart: place(call) }} />}
        {liquidation !== null && (
          <i className={`${styles.mark} ${styles.liquidation}`} style={{ insetInlineStart: place(liquidation) }} />
        )}
      </div>
      <dl className={`${figures.figures} ${styles.loanFigures}`}>
        <Figure name={t("Margin call")}>{percent(call, 1)}</Figure>
        <Figure name={t("Liquidation")}>{percent(liquidation, 1)}</Figure>
        <Figure name={t("{value} may fall", { value: loan.pledgeCoin ?? t("Pledged") })} tone={mood === "good" ? "" : "down"}>
          {percent(loan.distanceToLiquidation, 1)}
        </Figure>
        <Figure name={t("Interest owed")}>
          {amount(loan.interestAmount)} {loan.loanCoin}
        </Figure>
        <Figure name={t("Rate a year")}>{percent(yearly, 2)}</Figure>
        <Figure name={t("Due")}>{loan.expireTime === null ? t("Flexible") : dateTime(loan.expireTime, zone)}</Figure>
      </dl>
    </li>
  );
}
