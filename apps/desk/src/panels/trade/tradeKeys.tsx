import { Suspense, useState } from "react";
import { useMay } from "../../live/accounts.js";
import { useOrders } from "../../live/orders.js";
import { usePositions } from "../../live/positions.js";
import { useHotkeys } from "../../state/hotkeys.js";
import { atRest, lazily } from "../../ui/parts.js";

const CancelAll = lazily(
  atRest(() => import("../cancelAll.js")),
  ({ CancelAll }) => CancelAll,
);
const dialogs = atRest(() => import("../positionDialogs.js"));
const CloseAll = lazily(dialogs, ({ CloseAll }) => CloseAll);

/** The keys that cancel all orders and close all positions: each asks first. */
export function TradeKeys({ account }: { readonly account: string }) {
  const mayTrade = useMay("trade", account);
  const { rows: orders } = useOrders(account);
  const { rows: positions } = usePositions(account);
  const [opened, open] = useState<"cancel" | "close">();
  const has = (rows: readonly unknown[] | undefined) => mayTrade && rows !== undefined && rows.length > 0;
  useHotkeys({
    cancelAll: has(orders) ? () => open("cancel") : undefined,
    closeAll: has(positions) ? () => open("close") : undefined,
  });
  const close = () => open(undefined);
  return (
    <Suspense>
      {opened === "cancel" && <CancelAll account={account} orders={orders} onClose={close} />}
      {opened === "close" && <CloseAll account={account} positions={positions} onClose={close} />}
    </Suspense>
  );
}
