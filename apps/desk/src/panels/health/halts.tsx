import { useState } from "react";
import { dateTime } from "../../format/time.js";
import { graphql } from "../../graph/document.js";
import { submit } from "../../graph/writes.js";
import { useAccount, useMay } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { Field } from "../../ui/controls.js";
import { errorAt } from "../../ui/errors.js";
import { WriteForm } from "../../ui/writeForm.js";
import type { HealthFeed } from "./health.js";
import { type Lamp, LampsPanel } from "./lampsPanel.js";

const HaltTrading = graphql(`
  mutation HaltTrading($input: HaltTradingInput!) {
    haltTrading(input: $input) {
      outcome
      cancelled
      userErrors {
        code
        message
        field
        retryable
      }
    }
  }
`);

const ResumeTrading = graphql(`
  mutation ResumeTrading($input: ResumeTradingInput!) {
    resumeTrading(input: $input) {
      outcome
      userErrors {
        code
        message
        field
        retryable
      }
    }
  }
`);

/** Halts of trading, and the control to halt it. */
export function HaltsPanel({ feed }: { readonly feed: HealthFeed }) {
  const account = useAccount();
  const mayHalt = useMay("admin", account);
  const { zone } = useSettings();
  const [isAsked, ask] = useState(false);
  const resume = (halted: string | null) =>
    submit(`Resume ${halted ?? "all accounts"}`, ResumeTrading, halted === null ? { allAccounts: true } : { account: halted });
  const lamps = feed.data?.exchange.halts.map(
    (halt): Lamp => ({
      key: halt.account ?? "",
      mood: "bad",
      name: halt.account ?? "All accounts",
      detail: halt.reason,
      state: (
        <>
          <small className="muted">since {dateTime(halt.since, zone)}</small>{" "}
          <button type="button" onClick={() => void resume(halt.account)}>
            Resume
          </button>
        </>
      ),
    }),
  );
  return (
    <LampsPanel
      title="Halts"
      feed={feed}
      lamps={lamps}
      empty="Trading is not halted"
      actions={
        mayHalt && (
          <button type="button" onClick={() => ask(true)}>
            Halt {account}
          </button>
        )
      }
    >
      {isAsked && <HaltForm account={account} onClose={() => ask(false)} />}
    </LampsPanel>
  );
}

function HaltForm({ account, onClose }: { readonly account: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const [cancelOpen, setCancelOpen] = useState(true);
  return (
    <WriteForm
      title={`Halt trading of ${account}?`}
      verb="Halt trading"
      isReady
      isDangerous
      fields={["reason"]}
      onClose={onClose}
      send={() => submit(`Halt ${account}`, HaltTrading, { account, cancelOpen, ...(reason !== "" && { reason }) })}
    >
      {(errors) => (
        <>
          <p>Only what reduces risk is sent until trading is resumed.</p>
          <Field label="Reason" value={reason} onChange={setReason} error={errorAt(errors, "reason")} />
          <label className="check">
            <input type="checkbox" checked={cancelOpen} onChange={(event) => setCancelOpen(event.target.checked)} />
            Cancel all open orders of {account}
          </label>
        </>
      )}
    </WriteForm>
  );
}
