import { amount, words } from "../format/format.js";
import type { Order } from "../live/orders.js";
import { t } from "../text/text.js";
import { EachDialog } from "../ui/eachDialog.js";
import { cancel } from "./cancel.js";

interface Props {
  readonly account: string;
  /** Undefined: they are not known. */
  readonly orders: readonly Order[] | undefined;
  readonly onClose: () => void;
}

/** Cancels orders after showing them. */
export const CancelAll = ({ account, orders, onClose }: Props) => (
  <EachDialog
    title={(length) => t("Cancel {length} open orders of {account}?", { length, account })}
    verb={t("Cancel")}
    rows={orders}
    keyOf={({ id }) => id}
    write={(order) => cancel(account, order)}
    onClose={onClose}
  >
    {({ symbol, side, qty, price }) => (
      <>
        <span>{symbol}</span>
        <span className={side === "BUY" ? "up" : "down"}>{words(side)}</span>
        <span className="number">{amount(qty)}</span>
        <span className="number">{price === null ? t("market") : `@ ${amount(price)}`}</span>
      </>
    )}
  </EachDialog>
);
