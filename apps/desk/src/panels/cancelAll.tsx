import { useState } from "react";
import { amount, words } from "../format/format.js";
import type { Order } from "../live/orders.js";
import { Dialog } from "../ui/dialog.js";
import { cancel } from "./cancel.js";

interface Props {
  readonly account: string;
  readonly orders: readonly Order[];
  readonly onClose: () => void;
}

/** Shows the orders to be cancelled, and cancels them: each order by its own write. */
export function CancelAll({ account, orders, onClose }: Props) {
  // The orders that were shown at the start are cancelled.
  const [asked] = useState(orders);
  const [done, setDone] = useState<number>();
  const run = async () => {
    setDone(0);
    for (const [index, order] of asked.entries()) {
      await cancel(account, order);
      setDone(index + 1);
    }
    onClose();
  };
  return (
    <Dialog title={`Cancel ${asked.length} open orders of ${account}?`} onClose={onClose}>
      <ul className="to-cancel">
        {asked.map(({ id, symbol, side, qty, price }) => (
          <li key={id}>
            <span>{symbol}</span>
            <span className={side === "BUY" ? "up" : "down"}>{words(side)}</span>
            <span className="number">{amount(qty)}</span>
            <span className="number">{price === null ? "market" : `@ ${amount(price)}`}</span>
          </li>
        ))}
      </ul>
      <div className="dialog-end">
        <button type="button" onClick={onClose}>
          Keep them
        </button>
        <button type="button" className="danger" disabled={done !== undefined} onClick={() => void run()}>
          {done === undefined ? `Cancel these ${asked.length}` : `${done} of ${asked.length}`}
        </button>
      </div>
    </Dialog>
  );
}
