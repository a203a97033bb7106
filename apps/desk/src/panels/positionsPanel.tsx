import { type ReactNode, Suspense, useState } from "react";
import { useAccount, useAccounts, useMay } from "../live/accounts.js";
import { type Position, usePositions } from "../live/positions.js";
import { currentOf } from "../live/rows.js";
import { t } from "../text/text.js";
import { Panel } from "../ui/panel.js";
import { atRest, lazily } from "../ui/parts.js";
import { Table } from "../ui/table.js";
import { positionFile } from "./exports.js";
import { positionColumns } from "./positionColumns.js";

const dialogs = atRest(() => import("./positionDialogs.js"));
const CloseAll = lazily(dialogs, ({ CloseAll }) => CloseAll);
const DIALOGS = {
  close: lazily(dialogs, ({ ClosePosition }) => ClosePosition),
  reverse: lazily(dialogs, ({ ReversePosition }) => ReversePosition),
  margin: lazily(dialogs, ({ PositionMargin }) => PositionMargin),
  exits: lazily(dialogs, ({ PositionExits }) => PositionExits),
};

/** Open positions with their actions. */
export function PositionsPanel({ tabs }: { readonly tabs?: ReactNode }) {
  const account = useAccount();
  const mode = useAccounts().current?.mode;
  const { rows: positions, feed } = usePositions(account);
  const mayTrade = useMay("trade", account);
  const [opened, open] = useState<{ readonly what: keyof typeof DIALOGS; readonly position: Position }>();
  const [isClosing, closeAll] = useState(false);
  const current = currentOf(positions, opened?.position.id);
  const OpenedDialog = opened === undefined ? undefined : DIALOGS[opened.what];
  return (
    <Panel
      title={t("Positions")}
      feeds={[feed]}
      has={positions !== undefined}
      empty={positions?.length === 0 && t("No open positions")}
      dialogs={
        <Suspense>
          {isClosing && <CloseAll account={account} positions={positions} onClose={() => closeAll(false)} />}
          {OpenedDialog !== undefined && opened !== undefined && (
            <OpenedDialog
              account={account}
              position={current ?? opened.position}
              isClosed={current === null}
              onClose={() => open(undefined)}
            />
          )}
        </Suspense>
      }
      actions={
        <>
          {tabs}
          {mayTrade && (
            <button type="button" disabled={positions === undefined || positions.length === 0} onClick={() => closeAll(true)}>
              {t("Close all")}
            </button>
          )}
        </>
      }
    >
      <Table
        name={t("Positions")}
        columns={positionColumns}
        rows={positions}
        file={positionFile}
        keyOf={({ id }) => id}
        {...(mayTrade && {
          actions: (position: Position) => (
            <>
              {mode === "CLASSIC" && position.marginMode === "ISOLATED" && (
                <button type="button" onClick={() => open({ what: "margin", position })}>
                  {t("Margin")}
                </button>
              )}
              <button type="button" onClick={() => open({ what: "exits", position })}>
                TP/SL
              </button>
              {position.holdMode === "ONE_WAY_MODE" && (
                <button type="button" onClick={() => open({ what: "reverse", position })}>
                  {t("Reverse")}
                </button>
              )}
              <button type="button" onClick={() => open({ what: "close", position })}>
                {t("Close")}
              </button>
            </>
          ),
        })}
      />
    </Panel>
  );
}
