import { type GraphiQLPlugin, useGraphiQL } from "@graphiql/react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { clientWith } from "./fetcher.js";
import { type LastAnswer, session } from "./session.js";

const WHO = "{ viewer { name isAnonymous expireTime } }";
/** A token may not be allowed to read these. */
const ACCOUNTS = "{ accounts { name mode } }";

interface Who {
  readonly viewer: { readonly name: string | null; readonly isAnonymous: boolean; readonly expireTime: string | null };
}

interface Listed {
  readonly accounts: readonly { readonly name: string; readonly mode: string | null }[];
}

/** The principal, its accounts, and the reads of the last answer. */
function Panel() {
  const { token, last } = useSyncExternalStore(session.subscribe, session.get);
  const [who, setWho] = useState<Who>();
  const [listed, setListed] = useState<{ readonly data: Listed | null; readonly reason: string | undefined }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the client asks with the token of the moment
  useEffect(() => {
    const client = clientWith();
    void client.query<Who, object>(WHO).then(({ data }) => setWho(data ?? undefined));
    void client.query<Listed, object>(ACCOUNTS).then(({ data, errors }) => setListed({ data, reason: errors[0]?.message }));
  }, [token]);
  return (
    <section className="session" aria-label="Session">
      <h2>Token</h2>
      {who?.viewer.isAnonymous === true ? (
        <p>None: this gateway has no clients.</p>
      ) : (
        <p>
          {who?.viewer.name ?? "…"}
          {who?.viewer.expireTime != null && `, until ${who.viewer.expireTime}`}{" "}
          <button type="button" onClick={session.signOut}>
            Change
          </button>
        </p>
      )}
      <h2>Accounts</h2>
      {listed?.reason === undefined ? <Accounts accounts={listed?.data?.accounts ?? []} /> : <p>{listed.reason}</p>}
      <h2>Last answer</h2>
      {last === undefined ? <p>None yet.</p> : <Answer last={last} />}
    </section>
  );
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function Accounts({ accounts }: { readonly accounts: Listed["accounts"] }) {
  const variables = useGraphiQL(({ variableEditor }) => variableEditor);
  const [isUnreadable, setUnreadable] = useState(false);
  const choose = (account: string) => {
    const given = objectIn(variables?.getValue() || "{}");
    setUnreadable(given === undefined);
    if (given !== undefined) variables?.setValue(JSON.stringify({ ...given, account }, null, 2));
  };
  return (
    <ul>
      {isUnreadable && <li role="alert">The variables are not a JSON object: they stay as they are.</li>}
      {accounts.map(({ name, mode }) => (
        <li key={name}>
          {name} <small>{mode}</small>{" "}
          <button type="button" onClick={() => choose(name)} title={`Set the variable account to ${name}`}>
            Use as $account
          </button>
        </li>
      ))}
    </ul>
  );
}

function Answer({ last: { operation, ms, cost, reads } }: { readonly last: LastAnswer }) {
  return (
    <>
      <dl>
        <dt>Operation</dt>
        <dd>{operation}</dd>
        <dt>Time</dt>
        <dd>{Math.round(ms)} ms</dd>
        {cost !== undefined && (
          <>
            <dt>Calls</dt>
            <dd>
              {cost.actual.upstreamCalls} <small>of at most {cost.estimated.upstreamCalls}</small>
            </dd>
            <dt>Objects</dt>
            <dd>
              {cost.actual.nodes} <small>of at most {cost.estimated.nodes}</small>
            </dd>
            <dt>Calls at most, by field</dt>
            {cost.fields
              .filter(({ upstreamCalls }) => upstreamCalls > 0)
              .map(({ field, upstreamCalls }) => (
                <dd key={field}>
                  {upstreamCalls} <code>{field}</code>
                </dd>
              ))}
          </>
        )}
      </dl>
      {reads.length > 0 && (
        <table>
          <caption>What was read</caption>
          <thead>
            <tr>
              <th>Endpoint</th>
              <th>Account</th>
              <th>Source</th>
              <th>Age, ms</th>
              <th>Wait, ms</th>
            </tr>
          </thead>
          <tbody>
            {reads.map((read, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              <tr key={at} data-failed={read.failed}>
                <td>{read.endpoint}</td>
                <td>{read.account}</td>
                <td>{read.failed ? "failed" : read.source}</td>
                <td>{read.ageMs}</td>
                <td>{read.waitMs}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const Icon = () => (
  <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.2" role="img" aria-label="Session">
    <circle cx="8" cy="5" r="3" />
    <path d="M2 15c0-4 3-5.500 6-5.500s6 1.500 6 5.500" />
  </svg>
);

export const sessionPlugin: GraphiQLPlugin = { title: "Session", icon: Icon, content: Panel };
