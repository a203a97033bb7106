import { amount, words } from "../format/format.js";
import { useOrders } from "../live/orders.js";
import type { Position } from "../live/positions.js";
import { t } from "../text/text.js";
import { EachDialog } from "../ui/eachDialog.js";
import { closing } from "./close.js";
import { futuresOf } from "./market.js";

interface Props {
  readonly account: string;
  /** Undefined: they are not known. */
  readonly positions: readonly Position[] | undefined;
  readonly onClose: () => void;
}

/** Closes positions at market after showing them. */
export function CloseAll({ account, positions, onClose }: Props) {
  const mayReopen = useOrders(account).rows?.some(
    ({ category, isReduceOnly }) => futuresOf(category) !== undefined && isReduceOnly !== true,
  );
  return (
    <EachDialog
      title={(length) => t("Close {length} positions of {account} at market?", { length, account })}
      verb={t("Close")}
      rows={positions}
      keyOf={({ id }) => id}
      note={mayReopen ? t("Open orders stay: one that is filled may open a position again.") : undefined}
      write={(position) => (position.qty === null ? undefined : closing(account, position, position.qty))}
      onClose={onClose}
    >
      {({ symbol, posSide, qty, notional }) => (
        <>
          <span>{symbol}</span>
          <span className={posSide === "LONG" ? "up" : "down"}>{words(posSide)}</span>
          <span className="number">{amount(qty)}</span>
          <span className="number">{amount(notional, 2)}</span>
        </>
      )}
    </EachDialog>
  );
}
