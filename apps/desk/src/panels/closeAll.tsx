import { useState } from "react";
import { amount, words } from "../format/format.js";
import { PlaceOrder } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import type { Position } from "../live/positions.js";
import { Dialog } from "../ui/dialog.js";
import { futuresOf } from "./market.js";

/** Closes a position at market; it cannot open one. */
export const closeAtMarket = (account: string, { category, symbol, posSide, holdMode, qty }: Position) => {
  const futures = futuresOf(category);
  if (futures === undefined || posSide === "UNKNOWN" || qty === null) return undefined;
  return submit(`Close ${amount(qty)} ${symbol} ${words(posSide).toLowerCase()}`, PlaceOrder, {
    account,
    category: futures,
    symbol,
    side: posSide === "LONG" ? "SELL" : "BUY",
    orderType: "MARKET",
    qty,
    ...(holdMode === "HEDGE_MODE" ? { posSide } : { reduceOnly: true }),
  });
};

interface Props {
  readonly account: string;
  readonly positions: readonly Position[];
  readonly onClose: () => void;
}

/** Shows the positions to be closed, and closes them at market: each by its own order. */
export function CloseAll({ account, positions, onClose }: Props) {
  // The positions that were shown at the start are closed.
  const [asked] = useState(positions);
  const [done, setDone] = useState<number>();
  const run = async () => {
    setDone(0);
    for (const [index, position] of asked.entries()) {
      await closeAtMarket(account, position);
      setDone(index + 1);
    }
    onClose();
  };
  return (
    <Dialog title={`Close ${asked.length} positions of ${account} at market?`} onClose={onClose}>
      <ul className="to-cancel">
        {asked.map(({ id, symbol, posSide, qty, notional }) => (
          <li key={id}>
            <span>{symbol}</span>
            <span className={posSide === "LONG" ? "up" : "down"}>{words(posSide)}</span>
            <span className="number">{amount(qty)}</span>
            <span className="number">{amount(notional, 2)}</span>
          </li>
        ))}
      </ul>
      <div className="dialog-end">
        <button type="button" onClick={onClose}>
          Keep them
        </button>
        <button type="button" className="danger" disabled={done !== undefined} onClick={() => void run()}>
          {done === undefined ? `Close these ${asked.length}` : `${done} of ${asked.length}`}
        </button>
      </div>
    </Dialog>
  );
}
