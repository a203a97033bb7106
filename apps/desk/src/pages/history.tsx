import { useEffect, useState } from "react";
import { useAccount, useAccounts } from "../live/accounts.js";
import { CalendarPanel } from "../panels/history/calendarPanel.js";
import { CausesPanel } from "../panels/history/causesPanel.js";
import { HistoryTools } from "../panels/history/historyTools.js";
import { PerformancePanel } from "../panels/history/performancePanel.js";
import { addressOfRange, dayIn, rangeFrom, requestOf } from "../panels/history/ranges.js";
import { ReconciliationPanel } from "../panels/history/reconciliationPanel.js";
import type { Scope } from "../panels/history/useWorths.js";
import { WorthPanel } from "../panels/history/worthPanel.js";
import { now } from "../state/clock.js";
import { go, useRoute } from "../state/route.js";
import { useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import { Board } from "../ui/board.js";

const SCOPES = new Map<string, Scope>([
  ["all", "all"],
  ["each", "each"],
]);

const MINUTE_MS = 60_000;

/** The time, every minute: ranges that end now are moved on with it. */
function useMinute(): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return time;
}

/** What accounts were worth, why it changed, and how well they did. The address has the range and the accounts: `#/history/3M/all`. */
export function History() {
  const account = useAccount();
  const { all } = useAccounts();
  const { rest } = useRoute();
  const { zone } = useSettings();
  const time = useMinute();
  const isPlural = all.length > 1;
  const scope: Scope = (isPlural ? SCOPES.get(rest[1] ?? "") : undefined) ?? "one";
  const range = rangeFrom(rest[0]);
  const request = requestOf(range, zone, time);
  const isOne = scope === "one";
  const about = { account, isOne, from: request.from, to: request.to };
  return (
    <>
      <h1 className="hidden">{t("History")}</h1>
      <HistoryTools
        {...{ scope, range, account, isPlural }}
        today={dayIn(zone, time)}
        onChange={(nextScope, nextRange) => go("history", addressOfRange(nextRange), nextScope)}
      />
      <Board
        tiles={[
          { id: "Worth", w: 24, panel: <WorthPanel wanted={{ ...request, scope, account, range: addressOfRange(range) }} /> },
          { id: "Calendar", w: 15, panel: <CalendarPanel account={account} isOne={isOne} /> },
          { id: "Causes", w: 9, panel: <CausesPanel {...about} /> },
          { id: "Performance", w: 24, panel: <PerformancePanel {...about} /> },
          { id: "Reconciliation", w: 24, panel: <ReconciliationPanel account={account} from={request.from} to={request.to} /> },
        ]}
      />
    </>
  );
}
