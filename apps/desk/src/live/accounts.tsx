import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { graphql, type ResultOf, textOf } from "../graph/document.js";
import { session } from "../graph/session.js";
import { useRead } from "../graph/useRead.js";
import { change, useSettings } from "../state/settings.js";
import { forgetSamples, sample } from "./samples.js";

/** The current principal, and the exchange behind the gateway. */
const Viewer = graphql(`
  query Viewer {
    viewer {
      name
      isAnonymous
      expireTime
      scopes {
        scope
        accounts
      }
      environment {
        name
        kind
      }
    }
  }
`);

const ListAccounts = graphql(`
  query ListAccounts {
    accounts {
      name
      mode
    }
  }
`);

export type StartData = ResultOf<typeof Viewer> & ResultOf<typeof ListAccounts>;

const NO_ACCOUNTS: StartData["accounts"] = [];
const START = { everyMs: 60_000 } as const;

/** Reads the principal before a component needs it; the returned function leaves that to the components. */
export function requestStart(): () => void {
  const { urql } = session.value;
  const subscriptions = [textOf(Viewer), textOf(ListAccounts)].map((document) =>
    urql.query(document, {}, { ...START, trace: true }).subscribe(() => undefined),
  );
  return () => {
    for (const one of subscriptions) one.unsubscribe();
  };
}

/** The current principal and its accounts: none if the token may not read any, such as one for market data. */
export function useStart() {
  const viewer = useRead(Viewer, {}, START);
  const listed = useRead(ListAccounts, {}, START);
  const mayList = !listed.faults.some(({ code }) => code === "FORBIDDEN");
  const accounts = mayList ? listed.data?.accounts : NO_ACCOUNTS;
  return {
    data: viewer.data && accounts && { viewer: viewer.data.viewer, accounts },
    faults: mayList ? [...viewer.faults, ...listed.faults] : viewer.faults,
    refresh() {
      viewer.refresh();
      listed.refresh();
    },
  };
}

export const Equity = graphql(`
  query Equity($account: String) {
    account(name: $account) {
      totalEquity
    }
  }
`);

const EQUITY_EVERY_MS = 4_000;

// What was read with a token ends with it.
session.subscribe(forgetSamples);

/** Equity of an account, polled, with the reason if it is missing; the values are kept for the chart. */
export function useEquity(account: string) {
  const feed = useRead(Equity, { account }, { everyMs: EQUITY_EVERY_MS });
  const equity = feed.data?.account?.totalEquity ?? undefined;
  useEffect(() => {
    if (equity !== undefined && feed.at !== undefined) sample(account, { time: feed.at, value: equity });
  }, [account, equity, feed.at]);
  return { equity, fault: feed.faults[0] };
}

/** An account with the fields that every page uses. */
export interface Account {
  readonly name: string;
  readonly mode: "CLASSIC" | "UNIFIED" | null;
}

interface Accounts {
  readonly all: readonly Account[];
  readonly current: Account | undefined;
  /** The account that the user works with, if it is not there any more: `current` is another one. */
  readonly lost: string | undefined;
  readonly viewer: StartData["viewer"];
}

const Current = createContext<Accounts | undefined>(undefined);

export function AccountsOf({ start, children }: { readonly start: StartData; readonly children: ReactNode }) {
  const { account } = useSettings();
  const { accounts, viewer } = start;
  const chosen = accounts.find(({ name }) => name === account);
  const [last, setLast] = useState(chosen?.name);
  if (chosen !== undefined && chosen.name !== last) setLast(chosen.name);
  const lost = chosen === undefined && account === last ? last : undefined;
  const value = useMemo(
    () => ({ all: accounts, viewer, current: chosen ?? accounts[0], lost }),
    [accounts, viewer, chosen, lost],
  );
  return <Current value={value}>{children}</Current>;
}

export function useAccounts(): Accounts {
  const accounts = useContext(Current);
  if (accounts === undefined) throw new Error("no accounts around this component");
  return accounts;
}

/** Name of the selected account; empty without one. */
export const useAccount = (): string => useAccounts().current?.name ?? "";
export const choose = (account: string): void => change({ account });

/** Whether the token has this scope, for this account. Actions without their scope are not offered. */
export function useMay(scope: string, account?: string): boolean {
  const { viewer } = useAccounts();
  return viewer.scopes.some(
    (granted) =>
      granted.scope === scope && (account === undefined || granted.accounts === null || granted.accounts.includes(account)),
  );
}
