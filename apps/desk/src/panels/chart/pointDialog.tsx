import { amount, words } from "../../format/format.js";
import type { Position } from "../../live/positions.js";
import { t } from "../../text/text.js";
import buttons from "../../ui/button.module.css";
import { Dialog } from "../../ui/dialog.js";
import { changeOf } from "./moves.js";
import styles from "./pointDialog.module.css";

interface Props {
  readonly price: string;
  readonly decimals: number;
  readonly account: string;
  readonly mayTrade: boolean;
  readonly positions: readonly Position[];
  readonly onOrder: (side: "BUY" | "SELL") => void;
  readonly onExit: (position: Position) => void;
  readonly onLine: () => void;
  readonly onClose: () => void;
}

/** What can be done at a price of the chart. */
export function PointDialog({ price, decimals, account, mayTrade, positions, onOrder, onExit, onLine, onClose }: Props) {
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  const exits = positions.flatMap((position) => {
    const change = changeOf(account, { kind: "position", position }, price);
    return change === undefined ? [] : [{ position, title: change.title }];
  });
  return (
    <Dialog title={t("At {price}", { price: amount(price, decimals) })} onClose={onClose}>
      <div className={styles.pointChoices}>
        {mayTrade &&
          (["BUY", "SELL"] as const).map((side) => (
            <button
              key={side}
              type="button"
              className={side === "BUY" ? buttons.buy : buttons.sell}
              onClick={then(() => onOrder(side))}
            >
              {words(side)} {t("limit here")}
            </button>
          ))}
        {mayTrade &&
          exits.map(({ position, title }) => (
            <button key={position.id} type="button" onClick={then(() => onExit(position))}>
              {title}
            </button>
          ))}
        <button type="button" onClick={then(onLine)}>
          {t("Line here")}
        </button>
      </div>
    </Dialog>
  );
}
