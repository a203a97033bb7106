import { t } from "../../text/text.js";
import { WriteForm } from "../../ui/writeForm.js";
import { Consequences } from "./consequences.js";
import type { Change } from "./moves.js";
import { useRehearsal } from "./useRehearsal.js";

/** Asks before a level is moved: nothing is sent by dragging alone. */
export function MoveDialog({ change, onClose }: { readonly change: Change; readonly onClose: () => void }) {
  const rehearsed = useRehearsal(change);
  return (
    <WriteForm
      title={`${change.title}?`}
      verb={t("Send it")}
      isReady={rehearsed !== undefined && rehearsed.errors.length === 0}
      fields={[]}
      onClose={onClose}
      send={() => change.send()}
    >
      {() => <Consequences change={change} rehearsed={rehearsed} />}
    </WriteForm>
  );
}
