import { useIsLost } from "../../graph/session.js";
import { NO_GATEWAY } from "../../graph/useLive.js";
import { t } from "../../text/text.js";
import { WriteForm } from "../../ui/writeForm.js";
import { Consequences } from "./consequences.js";
import { endedWords, useCurrent } from "./current.js";
import type { Move } from "./levels.js";
import { changeOf } from "./moves.js";
import { useRehearsal } from "./useRehearsal.js";

interface Props {
  readonly account: string;
  readonly move: Move;
  readonly price: string;
  readonly onClose: () => void;
}

/** Asks before a level is moved: nothing is sent by dragging alone, nor for what has ended meanwhile. */
export function MoveDialog({ account, move, price, onClose }: Props) {
  const current = useCurrent(account, move);
  const change = changeOf(account, current ?? move, price);
  const isLost = useIsLost();
  const rehearsed = useRehearsal(current === null ? undefined : change);
  if (change === undefined) return null;
  return (
    <WriteForm
      title={`${change.title}?`}
      verb={isLost && rehearsed === undefined ? NO_GATEWAY : t("Send it")}
      isReady={rehearsed !== undefined && rehearsed.errors.length === 0}
      fields={[]}
      ended={current === null ? endedWords(account, move) : undefined}
      onClose={onClose}
      send={() => change.send()}
    >
      {() => current !== null && <Consequences change={change} rehearsed={rehearsed} />}
    </WriteForm>
  );
}
