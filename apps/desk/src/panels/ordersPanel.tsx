import { type ReactNode, Suspense, useMemo, useState } from "react";
import { useAccount, useMay } from "../live/accounts.js";
import { type Order, type PlanOrder, useOrders, usePlanOrders } from "../live/orders.js";
import { useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import { Panel } from "../ui/panel.js";
import { atRest, lazily } from "../ui/parts.js";
import { Table } from "../ui/table.js";
import { cancel, cancelPlan } from "./cancel.js";
import { openOrderFile, planOrderFile } from "./exports.js";
import { orderColumns, planColumns } from "./orderColumns.js";

const CancelAll = lazily(
  atRest(() => import("./cancelAll.js")),
  ({ CancelAll }) => CancelAll,
);
const ChangeOrder = lazily(
  atRest(() => import("./changeOrder.js")),
  ({ ChangeOrder }) => ChangeOrder,
);

/** Open orders: change, cancel, cancel all. */
export function OrdersPanel({ tabs }: { readonly tabs?: ReactNode }) {
  const account = useAccount();
  const { zone } = useSettings();
  const { rows: orders, feed } = useOrders(account);
  const mayTrade = useMay("trade", account);
  const columns = useMemo(() => orderColumns(zone), [zone]);
  const [changed, change] = useState<Order>();
  const [isCancelling, cancelAll] = useState(false);
  return (
    <Panel
      title={t("Open orders")}
      feeds={[feed]}
      has={orders !== undefined}
      empty={orders?.length === 0 && t("No open orders")}
      dialogs={
        <Suspense>
          {changed !== undefined && <ChangeOrder account={account} order={changed} onClose={() => change(undefined)} />}
          {isCancelling && <CancelAll account={account} orders={orders} onClose={() => cancelAll(false)} />}
        </Suspense>
      }
      actions={
        <>
          {tabs}
          {mayTrade && (
            <button type="button" disabled={orders === undefined || orders.length === 0} onClick={() => cancelAll(true)}>
              {t("Cancel all")}
            </button>
          )}
        </>
      }
    >
      <Table
        name={t("Open orders")}
        columns={columns}
        rows={orders}
        file={openOrderFile}
        keyOf={({ id }) => id}
        {...(mayTrade && {
          actions: (row: Order) => (
            <>
              {row.orderType === "LIMIT" && row.tpslType !== "TPSL" && (
                <button type="button" onClick={() => change(row)}>
                  {t("Change")}
                </button>
              )}
              <button type="button" onClick={() => void cancel(account, row)}>
                {t("Cancel")}
              </button>
            </>
          ),
        })}
      />
    </Panel>
  );
}

/** Waiting trigger orders. */
export function PlanOrdersPanel({ tabs }: { readonly tabs?: ReactNode }) {
  const account = useAccount();
  const { zone } = useSettings();
  const { rows: plans, feed } = usePlanOrders(account);
  const mayTrade = useMay("trade", account);
  const columns = useMemo(() => planColumns(zone), [zone]);
  return (
    <Panel
      title={t("Trigger orders")}
      feeds={[feed]}
      has={plans !== undefined}
      empty={plans?.length === 0 && t("No trigger orders")}
      actions={tabs}
    >
      <Table
        name={t("Trigger orders")}
        columns={columns}
        rows={plans}
        file={planOrderFile}
        keyOf={({ id }) => id}
        {...(mayTrade && {
          actions: (row: PlanOrder) => (
            <button type="button" onClick={() => void cancelPlan(account, row)}>
              {t("Cancel")}
            </button>
          ),
        })}
      />
    </Panel>
  );
}
