import { amount, percent, words } from "../format/format.js";
import { dateTime } from "../format/time.js";
import { useRead } from "../graph/useRead.js";
import { BudgetsPanel } from "../panels/health/budgets.js";
import { HaltsPanel } from "../panels/health/halts.js";
import { HealthOf } from "../panels/health/health.js";
import { type Lamp, LampsPanel } from "../panels/health/lampsPanel.js";
import { LiveListsPanel } from "../panels/health/liveLists.js";
import { useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import { Board } from "../ui/board.js";
import { Figure } from "../ui/controls.js";
import figures from "../ui/figures.module.css";
import { Panel } from "../ui/panel.js";

const EVERY_MS = 2_000;

/** State of the gateway and its connection to the exchange, for operators. */
export function Health() {
  const feed = useRead(HealthOf, {}, { everyMs: EVERY_MS });
  const { zone } = useSettings();
  const state = feed.data?.exchange;
  const exchange = (
    <Panel title={t("Exchange")} feeds={[feed]} has={state !== undefined}>
      <dl className={figures.figures}>
        <Figure name={t("Its time")}>{dateTime(state?.time, zone)}</Figure>
        <Figure name={t("Its clock minus ours")}>
          {amount(state?.clockSkewMs?.toString())} {t("ms")}
        </Figure>
        <Figure name={t("Cache hits")}>{percent(state?.cache.hitRatio, 1)}</Figure>
        <Figure name={t("Hits / misses")}>
          {amount(state?.cache.hits.toString())} / {amount(state?.cache.misses.toString())}
        </Figure>
      </dl>
    </Panel>
  );
  const streams = state?.streams.map(
    ({ stream, topics, live }): Lamp => ({
      key: stream,
      mood: live === topics ? "good" : live === 0 ? "bad" : "fair",
      name: stream,
      state: t("{live} of {topics} live", { live, topics }),
    }),
  );
  const connections = state?.connections.map(
    ({ apiVersion, account, status: socket, topics }, index): Lamp => ({
      key: `${apiVersion} ${account ?? ""} ${index}`,
      mood: socket === "READY" ? "good" : socket === "CLOSED" ? "bad" : "fair",
      name: account ?? t("public"),
      detail: apiVersion,
      state: t("{state}, {topics} channels", { state: words(socket), topics }),
    }),
  );
  const breakers = state?.breakers.map(
    ({ endpoint, account, status: breaker }): Lamp => ({
      key: `${endpoint} ${account ?? ""}`,
      mood: breaker === "OPEN" ? "bad" : "fair",
      name: endpoint,
      detail: account,
      state: words(breaker),
    }),
  );
  const lamps = (id: string, title: string, shown: readonly Lamp[] | undefined, empty: string) => ({
    id,
    w: 8,
    panel: <LampsPanel title={title} feed={feed} lamps={shown} empty={empty} />,
  });
  return (
    <>
      <h1 className="hidden">{t("Health")}</h1>
      <Board
        tiles={[
          { id: "Exchange", w: 16, panel: exchange },
          { id: "Halts", w: 8, panel: <HaltsPanel feed={feed} /> },
          { id: "Rate budgets", w: 24, panel: <BudgetsPanel feed={feed} /> },
          lamps("Streams", t("Streams"), streams, t("No streams are open")),
          lamps("Connections", t("Connections"), connections, t("No connection is open")),
          lamps("Circuit breakers", t("Circuit breakers"), breakers, t("All are closed: every endpoint is called")),
          { id: "Live lists", w: 24, panel: <LiveListsPanel /> },
        ]}
      />
    </>
  );
}
