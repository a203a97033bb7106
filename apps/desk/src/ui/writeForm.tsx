import type { GraphError } from "@exchange-graph/client";
import { type ReactNode, useState } from "react";
import { useIsLost } from "../graph/session.js";
import { t } from "../text/text.js";
import buttons from "./button.module.css";
import { Dialog } from "./dialog.js";
import dialog from "./dialog.module.css";
import { Ended } from "./ended.js";
import { Errors } from "./errors.js";
import form from "./form.module.css";
import { LineWarning, whenBack } from "./lineWarning.js";
import { useIsGone } from "./useIsGone.js";
import { useQuestion } from "./useQuestion.js";

interface WriteFormProps {
  readonly title: string;
  /** Label of the button. */
  readonly verb: string;
  readonly isReady: boolean;
  /** Input fields of the form. */
  readonly fields: readonly string[];
  readonly send: () => Promise<{ readonly outcome: "accepted" | "rejected" | "unknown"; readonly errors: readonly GraphError[] }>;
  readonly onClose: () => void;
  readonly isDangerous?: boolean;
  /** Why it has no sense any more, such as for an order that was filled meanwhile: nothing is sent. */
  readonly ended?: ReactNode;
  /** The form, with the errors of the exchange or the gateway. */
  readonly children: (errors: readonly GraphError[]) => ReactNode;
}

/** A dialog for a write: if it is refused, the dialog stays open and shows the errors at their fields. */
export function WriteForm({ title, verb, isReady, fields, send, onClose, isDangerous = false, ended, children }: WriteFormProps) {
  const [errors, setErrors] = useState<readonly GraphError[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isGone = useIsGone();
  const isLost = useIsLost();
  // What was confirmed while the line was lost: something else is asked about anew.
  const [sure, ask] = useQuestion<string>();
  const isSure = sure === verb;
  // What this form itself sends may end it before the answer arrives.
  const hasEnded = ended !== undefined && !isBusy;
  const run = async () => {
    if (isBusy) return;
    if (isLost && !isSure) {
      ask(verb);
      return;
    }
    setBusy(true);
    const { outcome, errors: found } = await send();
    setBusy(false);
    if (outcome === "rejected") setErrors(found);
    else if (!isGone.current) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={form.form}
        // They are those of what was sent, and not of what it is edited to.
        onInput={() => setErrors([])}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {children(errors)}
        <Errors errors={errors} shown={fields} />
        {hasEnded && <Ended>{ended}</Ended>}
        {isLost && isSure && !hasEnded && <LineWarning />}
        <div className={dialog.end}>
          <button type="button" onClick={onClose}>
            {t("Leave it")}
          </button>
          <button
            type="submit"
            className={isDangerous ? buttons.danger : buttons.primary}
            disabled={!isReady || hasEnded}
            aria-disabled={isBusy}
          >
            {isLost && isSure ? whenBack(verb) : verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
