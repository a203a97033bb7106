import { useState } from "react";
import { amount, percent, words } from "../format/format.js";
import { dateTime } from "../format/time.js";
import { graphql, type ResultOf } from "../graph/document.js";
import { useRead } from "../graph/useRead.js";
import { submit } from "../graph/writes.js";
import { useAccount } from "../live/accounts.js";
import { useSettings } from "../state/settings.js";
import { Board } from "../ui/board.js";
import { Field, Figure } from "../ui/controls.js";
import { Panel } from "../ui/panel.js";
import { WriteForm } from "../ui/writeForm.js";

const HealthOf = graphql(`
  query HealthOf {
    exchange {
      time
      clockOffsetMs
      cache {
        hits
        misses
        hitRatio
      }
      budgets {
        endpoint
        counter
        limit
        left
        waiting
        windowMs
      }
      sharedCounters {
        counter
        share
        noticedAt
      }
      breakers {
        endpoint
        account
        state
      }
      streams {
        stream
        topics
        live
      }
      connections {
        apiVersion
        account
        state
        topics
      }
      halts {
        account
        by
        reason
        since
      }
    }
  }
`);

const HaltTrading = graphql(`
  mutation HaltTrading($input: HaltTradingInput!) {
    haltTrading(input: $input) {
      outcome
      cancelled
      userErrors {
        code
        message
        field
        retryable
      }
    }
  }
`);

const ResumeTrading = graphql(`
  mutation ResumeTrading($input: ResumeTradingInput!) {
    resumeTrading(input: $input) {
      outcome
      userErrors {
        code
        message
        field
        retryable
      }
    }
  }
`);

type State = ResultOf<typeof HealthOf>["exchange"];

const EVERY_MS = 2_000;

/** How the gateway stands with the exchange: what an operator looks at. */
export function Health() {
  const feed = useRead(HealthOf, {}, { everyMs: EVERY_MS });
  const { zone } = useSettings();
  const state = feed.data?.exchange;
  const has = state !== undefined;
  const feeds = [feed];
  return (
    <>
      <h1 className="hidden">Health</h1>
      <Board
        tiles={[
          {
            id: "Exchange",
            w: 16,
            panel: (
              <Panel title="Exchange" feeds={feeds} has={has} className="exchange">
                <dl className="figures">
                  <Figure name="Its time">{dateTime(state?.time, zone)}</Figure>
                  <Figure name="Its clock minus ours">{amount(state?.clockOffsetMs)} ms</Figure>
                  <Figure name="Cache hits">{percent(state?.cache.hitRatio, 1)}</Figure>
                  <Figure name="Hits / misses">
                    {amount(state?.cache.hits)} / {amount(state?.cache.misses)}
                  </Figure>
                </dl>
              </Panel>
            ),
          },
          {
            id: "Halts",
            w: 8,
            panel: <Halts feed={feed} halts={state?.halts} />,
          },
          {
            id: "Rate budgets",
            w: 24,
            panel: (
              <Panel title="Rate budgets" feeds={feeds} has={has} className="budgets">
                <ul className="gauges">
                  {[...(state?.budgets ?? [])].sort(byNeed).map((budget) => (
                    <Budget key={`${budget.endpoint} ${budget.counter}`} budget={budget} shares={state?.sharedCounters ?? []} />
                  ))}
                </ul>
              </Panel>
            ),
          },
          {
            id: "Streams",
            w: 8,
            panel: (
              <Panel title="Streams" feeds={feeds} has={has} empty={state?.streams.length === 0 && "No streams are open"}>
                <ul className="lamps">
                  {state?.streams.map(({ stream, topics, live }) => (
                    <li key={stream}>
                      <i className={live === topics ? "good" : live === 0 ? "bad" : "fair"} aria-hidden="true" />
                      <span>{stream}</span>
                      <span className="number">
                        {live} of {topics} live
                      </span>
                    </li>
                  ))}
                </ul>
              </Panel>
            ),
          },
          {
            id: "Connections",
            w: 8,
            panel: (
              <Panel
                title="Connections"
                feeds={feeds}
                has={has}
                empty={state?.connections.length === 0 && "No connection is open"}
              >
                <ul className="lamps">
                  {state?.connections.map(({ apiVersion, account, state: socket, topics }, index) => (
                    <li key={`${apiVersion} ${account ?? ""} ${index.toString()}`}>
                      <i className={socket === "READY" ? "good" : socket === "CLOSED" ? "bad" : "fair"} aria-hidden="true" />
                      <span>
                        {account ?? "public"} <small className="muted">{apiVersion}</small>
                      </span>
                      <span className="number">
                        {words(socket)}, {topics} channels
                      </span>
                    </li>
                  ))}
                </ul>
              </Panel>
            ),
          },
          {
            id: "Circuit breakers",
            w: 8,
            panel: (
              <Panel
                title="Circuit breakers"
                feeds={feeds}
                has={has}
                empty={state?.breakers.length === 0 && "All are closed: every endpoint is called"}
              >
                <ul className="lamps">
                  {state?.breakers.map(({ endpoint, account, state: breaker }) => (
                    <li key={`${endpoint} ${account ?? ""}`}>
                      <i className={breaker === "OPEN" ? "bad" : "fair"} aria-hidden="true" />
                      <span>
                        {endpoint} <small className="muted">{account}</small>
                      </span>
                      <span className="number">{words(breaker)}</span>
                    </li>
                  ))}
                </ul>
              </Panel>
            ),
          },
        ]}
      />
    </>
  );
}

type RateBudget = State["budgets"][number];

/** The whole address first, then what is scarce. */
const byNeed = (a: RateBudget, b: RateBudget): number => {
  if (a.endpoint === "(all)" || b.endpoint === "(all)") return a.endpoint === "(all)" ? -1 : 1;
  return a.left * b.limit - b.left * a.limit || b.waiting - a.waiting || a.endpoint.localeCompare(b.endpoint);
};

const LOW = 0.2;
const SECOND_MS = 1_000;

function Budget({
  budget: { endpoint, counter, limit, left, waiting, windowMs },
  shares,
}: {
  readonly budget: RateBudget;
  readonly shares: State["sharedCounters"];
}) {
  const shared = shares.find((share) => share.counter === counter);
  const mood = left === 0 ? "bad" : left <= limit * LOW ? "fair" : "good";
  const label = `${endpoint === "(all)" ? "All calls" : endpoint}, ${counter}`;
  return (
    <li>
      <span className="gauge-name" title={label}>
        {endpoint === "(all)" ? "All calls" : endpoint} <small className="muted">{counter}</small>
      </span>
      <span className="number">
        {left}{" "}
        <small className="muted">
          of {limit} in {windowMs / SECOND_MS} s
        </small>
        {waiting > 0 && <span className="tag warn">{waiting} wait</span>}
        {shared !== undefined && <span className="tag warn">shared, {percent(shared.share, 0)} ours</span>}
      </span>
      <meter className={mood} min={0} max={limit} value={left} aria-label={label}>
        {left}
      </meter>
    </li>
  );
}

interface HaltsProps {
  readonly feed: ReturnType<typeof useRead<ResultOf<typeof HealthOf>, object>>;
  readonly halts: State["halts"] | undefined;
}

/** Halts of trading, and the switch for one. */
function Halts({ feed, halts }: HaltsProps) {
  const account = useAccount();
  const { zone } = useSettings();
  const [isAsked, ask] = useState(false);
  const [reason, setReason] = useState("");
  const [cancelOpen, setCancelOpen] = useState(true);
  return (
    <Panel
      title="Halts"
      feeds={[feed]}
      has={halts !== undefined}
      empty={halts?.length === 0 && "Trading is not halted"}
      actions={
        <button type="button" onClick={() => ask(true)}>
          Halt {account}
        </button>
      }
    >
      <ul className="lamps">
        {halts?.map((halt) => (
          <li key={halt.account ?? ""}>
            <i className="bad" aria-hidden="true" />
            <span>
              {halt.account ?? "All accounts"} <small className="muted">{halt.reason}</small>
            </span>
            <span className="number">
              <small className="muted">since {dateTime(halt.since, zone)}</small>{" "}
              <button
                type="button"
                onClick={() =>
                  void submit(
                    `Resume ${halt.account ?? "all accounts"}`,
                    ResumeTrading,
                    halt.account === null ? { allAccounts: true } : { account: halt.account },
                  )
                }
              >
                Resume
              </button>
            </span>
          </li>
        ))}
      </ul>
      {isAsked && (
        <WriteForm
          title={`Halt trading of ${account}?`}
          verb="Halt trading"
          isReady
          isDangerous
          fields={["reason"]}
          onClose={() => ask(false)}
          send={() => submit(`Halt ${account}`, HaltTrading, { account, cancelOpen, ...(reason !== "" && { reason }) })}
        >
          {() => (
            <>
              <p>Only what reduces risk is sent until trading is resumed.</p>
              <Field label="Reason" value={reason} onChange={setReason} />
              <label className="check">
                <input type="checkbox" checked={cancelOpen} onChange={(event) => setCancelOpen(event.target.checked)} />
                Cancel all open orders of {account}
              </label>
            </>
          )}
        </WriteForm>
      )}
    </Panel>
  );
}
