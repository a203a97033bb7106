import { useState } from "react";
import { words } from "../../format/format.js";
import { dateTime } from "../../format/time.js";
import { t } from "../../text/text.js";
import "../../graph/written.js";
import { graphql } from "../../graph/document.js";
import type { HaltTradingMutation } from "../../graph/generated/graphql.js";
import { submit } from "../../graph/writes.js";
import { useAccount, useMay } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { Field } from "../../ui/controls.js";
import { errorAt } from "../../ui/errors.js";
import form from "../../ui/form.module.css";
import { WriteForm } from "../../ui/writeForm.js";
import type { HealthFeed } from "./health.js";
import { type Lamp, LampsPanel } from "./lampsPanel.js";

const HaltTrading = graphql(`
  mutation HaltTrading($input: HaltTradingInput!) {
    haltTrading(input: $input) {
      cancelled
      kept {
        accountName
        orderId
        symbol
        planType
      }
      cancelFailures {
        accountName
        orderId
        symbol
        message
      }
      ...Written
    }
  }
`);

const ResumeTrading = graphql(`
  mutation ResumeTrading($input: ResumeTradingInput!) {
    resumeTrading(input: $input) {
      ...Written
    }
  }
`);

/** Halts of trading, and the control to halt it. */
export function HaltsPanel({ feed }: { readonly feed: HealthFeed }) {
  const account = useAccount();
  const mayHalt = useMay("admin", account);
  const { zone } = useSettings();
  const [isOpen, open] = useState(false);
  const [left, setLeft] = useState<Left>();
  const resume = (halted: string | null) =>
    submit(
      t("Resume {value}", { value: halted ?? t("all accounts") }),
      ResumeTrading,
      halted === null ? { allAccounts: true } : { account: halted },
    );
  const lamps = feed.data?.exchange.halts.map(
    (halt): Lamp => ({
      key: halt.account ?? "",
      mood: "bad",
      name: halt.account ?? t("All accounts"),
      detail: halt.reason,
      state: (
        <>
          <small className="muted">
            {t("since")} {dateTime(halt.startTime, zone)}
          </small>{" "}
          <button type="button" onClick={() => void resume(halt.account)}>
            {t("Resume")}
          </button>
        </>
      ),
    }),
  );
  return (
    <LampsPanel
      title={t("Halts")}
      feed={feed}
      lamps={lamps}
      empty={t("Trading is not halted")}
      actions={
        mayHalt && (
          <button type="button" onClick={() => open(true)}>
            {t("Halt")} {account}
          </button>
        )
      }
    >
      {left !== undefined && <LeftOpen {...left} />}
      {isOpen && <HaltForm account={account} onHalted={setLeft} onClose={() => open(false)} />}
    </LampsPanel>
  );
}

type Left = Pick<HaltTradingMutation["haltTrading"], "kept" | "cancelFailures">;

/** Orders that the last halt from this page has not ended, and why. */
const LeftOpen = ({ kept, cancelFailures }: Left) => (
  <>
    {cancelFailures.length > 0 && (
      <section aria-label={t("May still be open")}>
        <h3>{t("May still be open")}</h3>
        <ul>
          {cancelFailures.map(({ accountName, orderId, symbol, message }) => (
            <li key={`${accountName} ${orderId} ${message}`}>
              {accountName} {symbol} {orderId}: {message}
            </li>
          ))}
        </ul>
      </section>
    )}
    {kept.length > 0 && (
      <section aria-label={t("Kept, because they only reduce a position")}>
        <h3>{t("Kept, because they only reduce a position")}</h3>
        <ul>
          {kept.map(({ accountName, orderId, symbol, planType }) => (
            <li key={`${accountName} ${orderId}`}>
              {accountName} {symbol}: {words(planType)} {orderId}
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
);

interface HaltFormProps {
  readonly account: string;
  readonly onHalted: (left: Left) => void;
  readonly onClose: () => void;
}

function HaltForm({ account, onHalted, onClose }: HaltFormProps) {
  const [reason, setReason] = useState("");
  const [cancelOpen, setCancelOpen] = useState(true);
  const send = async () => {
    const input = { account, cancelOpen, ...(reason !== "" && { reason }) };
    const result = await submit(t("Halt {account}", { account }), HaltTrading, input);
    if (result.outcome === "accepted") onHalted(result.payload);
    return result;
  };
  return (
    <WriteForm
      title={t("Halt trading of {account}?", { account })}
      verb={t("Halt trading")}
      isReady
      isDangerous
      fields={["reason"]}
      onClose={onClose}
      send={send}
    >
      {(errors) => (
        <>
          <p>{t("Only what reduces risk is sent until trading is resumed.")}</p>
          <Field label={t("Reason")} value={reason} onChange={setReason} error={errorAt(errors, "reason")} />
          <label className={form.check}>
            <input type="checkbox" checked={cancelOpen} onChange={(event) => setCancelOpen(event.target.checked)} />
            {t("Cancel all open orders of")} {account}
            {t(", and trigger orders that could open a position")}
          </label>
        </>
      )}
    </WriteForm>
  );
}
