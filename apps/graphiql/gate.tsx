import { type ReactNode, type SubmitEvent, useEffect, useState, useSyncExternalStore } from "react";
import { clientWith } from "./fetcher.js";
import { session } from "./session.js";

const VIEWER = "{ viewer { name } }";

type Entry = "asking" | "open" | "closed" | "refused";

/** Whether the gateway admits the user. If it is unreachable, GraphiQL reports that. */
async function mayEnter(): Promise<boolean> {
  const { errors } = await clientWith().query(VIEWER);
  return !errors.some(({ code }) => code === "UNAUTHENTICATED");
}

/** Shows its content once the gateway has accepted the user; before, a field for the token. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { token } = useSyncExternalStore(session.subscribe, session.get);
  const [entry, setEntry] = useState<Entry>("asking");
  useEffect(() => {
    let isCurrent = true;
    void mayEnter().then((may) => {
      if (isCurrent) setEntry(may ? "open" : token === undefined ? "closed" : "refused");
    });
    return () => {
      isCurrent = false;
    };
  }, [token]);
  if (entry === "open") return children;
  return entry === "asking" ? <p className="gate">…</p> : <TokenForm isRefused={entry === "refused"} />;
}

function TokenForm({ isRefused }: { readonly isRefused: boolean }) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    session.signOut();
    session.signIn(String(given.get("token")).trim(), given.get("kept") !== null);
  };
  return (
    <form className="gate" onSubmit={submit}>
      <h1>exchange-graph</h1>
      <label>
        API token
        {/* biome-ignore lint/a11y/noAutofocus: the page has this one field */}
        <input name="token" type="password" autoComplete="off" spellCheck={false} required autoFocus />
      </label>
      <label>
        <input name="kept" type="checkbox" /> Keep it for this browser tab
      </label>
      <button type="submit">Open GraphiQL</button>
      {isRefused && <p role="alert">The gateway does not know this token, or it has expired.</p>}
      <p>
        An operator makes tokens with <code>npm run token</code>.
      </p>
    </form>
  );
}
