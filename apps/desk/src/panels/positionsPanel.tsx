import { type ReactNode, useState } from "react";
import { useAccount, useMay } from "../live/accounts.js";
import { type Position, usePositions } from "../live/positions.js";
import { Panel } from "../ui/panel.js";
import { Table } from "../ui/table.js";
import { ClosePosition } from "./closePosition.js";
import { positionFile } from "./exports.js";
import { positionColumns } from "./positionColumns.js";
import { PositionExits } from "./positionExits.js";
import { PositionMargin } from "./positionMargin.js";

const DIALOGS = { close: ClosePosition, margin: PositionMargin, exits: PositionExits };

/** Open positions with their actions. */
export function PositionsPanel({ tabs }: { readonly tabs?: ReactNode }) {
  const account = useAccount();
  const { rows: positions, feed } = usePositions(account);
  const mayTrade = useMay("trade", account);
  const [asked, ask] = useState<{ readonly what: keyof typeof DIALOGS; readonly id: string }>();
  const chosen = positions?.find(({ id }) => id === asked?.id);
  const Asked = asked === undefined ? undefined : DIALOGS[asked.what];
  return (
    <Panel
      title="Positions"
      feeds={[feed]}
      has={positions !== undefined}
      empty={positions?.length === 0 && "No open positions"}
      className="wide"
      actions={tabs}
    >
      <Table
        name="Positions"
        columns={positionColumns}
        rows={positions}
        file={positionFile}
        keyOf={({ id }) => id}
        {...(mayTrade && {
          actions: ({ id, marginMode }: Position) => (
            <>
              {marginMode === "ISOLATED" && (
                <button type="button" onClick={() => ask({ what: "margin", id })}>
                  Margin
                </button>
              )}
              <button type="button" onClick={() => ask({ what: "exits", id })}>
                TP/SL
              </button>
              <button type="button" onClick={() => ask({ what: "close", id })}>
                Close
              </button>
            </>
          ),
        })}
      />
      {Asked !== undefined && chosen !== undefined && (
        <Asked account={account} position={chosen} onClose={() => ask(undefined)} />
      )}
    </Panel>
  );
}
