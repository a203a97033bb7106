import { Consequences } from "./consequences.js";
import styles from "./dragging.module.css";
import type { Dragged } from "./handles.js";
import { MoveDialog } from "./moveDialog.js";
import { changeOf } from "./moves.js";
import { useRehearsal } from "./useRehearsal.js";

interface Props {
  readonly account: string;
  readonly dragged: Dragged | undefined;
  /** Where a level was dropped, which is asked about. */
  readonly dropped: Dragged | undefined;
  readonly onClose: () => void;
}

/** What the move of a level would do: beside the chart while it moves, and as a question when it is dropped. */
export function Dragging({ account, dragged, dropped, onClose }: Props) {
  const at = dropped ?? dragged;
  const change = at?.level.move && changeOf(account, at.level.move, at.price);
  const rehearsed = useRehearsal(dropped === undefined ? change : undefined);
  if (dropped?.level.move !== undefined)
    return <MoveDialog account={account} move={dropped.level.move} price={dropped.price} onClose={onClose} />;
  if (change === undefined) return null;
  return (
    <div className={styles.words} role="status">
      <b>{change.title}</b>
      <Consequences change={change} rehearsed={rehearsed} />
    </div>
  );
}
