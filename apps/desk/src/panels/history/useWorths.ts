import { useMemo, useRef, useState } from "react";
import { useClient } from "urql";
import { type ResultOf, textOf } from "../../graph/document.js";
import type { Feed } from "../../graph/feed.js";
import { useLive } from "../../graph/useLive.js";
import { useRead } from "../../graph/useRead.js";
import { useAccounts } from "../../live/accounts.js";
import { now } from "../../state/clock.js";
import { ReadWorths, WatchWorth } from "./documents.js";
import type { RangeRequest } from "./ranges.js";
import { continued, unsettledFrom, type Worths } from "./worth.js";

/** What is shown: the selected account, each account by itself, or all of them as one. */
export type Scope = "one" | "each" | "all";

/** A curve with the account that it is about; without a name, of all together. */
export interface Named {
  readonly name: string | undefined;
  readonly worths: Worths;
}

interface Curves {
  /** What they are about. */
  readonly of: string;
  /** When they were read, Unix ms. */
  readonly at: number;
  readonly curves: readonly Named[];
}

export interface Wanted extends RangeRequest {
  readonly scope: Scope;
  readonly account: string;
  /** The range as the user has chosen it: it stays the same while time passes. */
  readonly range: string;
}

interface Found {
  /** Undefined before they were read, and if they cannot be. */
  readonly curves: readonly Named[] | undefined;
  readonly feeds: readonly Feed[];
  /** Accounts of which nothing is recorded in the range. */
  readonly missing: readonly string[];
}

/** The whole is read again at this interval, ms: what explains older points may be recorded late. */
const AGAIN_MS = 300_000;
/** The same while nothing is recorded yet. */
const EMPTY_MS = 20_000;

const curvesIn = (data: ResultOf<typeof ReadWorths> | undefined): readonly Named[] | undefined => {
  if (data === undefined) return undefined;
  const { account, accounts, equityHistory } = data;
  const all = accounts?.map((one) => ({ name: one.name, worths: one.equityHistory }));
  const own = account ? [{ name: account.name, worths: account.equityHistory }] : undefined;
  const found = all ?? own ?? [{ name: undefined, worths: equityHistory }];
  const curves = found.flatMap(({ name, worths }) => (worths ? [{ name, worths }] : []));
  return curves.length === 0 ? undefined : curves;
};

const hasPoints = ({ worths }: Named): boolean => worths.points.length > 0;

/** Recorded curves, continued live where the range has no end. */
export function useWorths({ scope, account, range, from, to, interval }: Wanted): Found {
  const { all } = useAccounts();
  const scoped = {
    account: scope === "one" ? account : null,
    one: scope === "one",
    each: scope === "each",
    all: scope === "all",
  };
  const of = `${scope} ${scoped.account} ${range}`;
  // Kept while a range that ends now is moved on.
  const [kept, keep] = useState<Curves>();
  const isEmpty = kept?.of === of && !kept.curves.some(hasPoints);
  const feed = useRead(ReadWorths, { ...scoped, from, to, interval }, { everyMs: isEmpty ? EMPTY_MS : AGAIN_MS });
  const read = useMemo(() => curvesIn(feed.data), [feed.data]);
  const at = feed.at ?? 0;
  if (read !== undefined && (kept?.curves !== read || kept.of !== of || kept.at !== at)) keep({ of, at, curves: read });
  const whole = kept?.of === of ? kept : undefined;
  const [end, setEnd] = useState<Curves>();
  const curves = useMemo(() => {
    const newer = end?.of === of && whole !== undefined && end.at > whole.at ? end.curves : [];
    return whole?.curves.map(({ name, worths }): Named => {
      const later = newer.find((one) => one.name === name);
      return { name, worths: later === undefined ? worths : continued(worths, later.worths) };
    });
  }, [whole, end, of]);

  // The gateway computes the sum of several accounts and its causes: an event only triggers another reading.
  const client = useClient();
  const reading = useRef<"no" | "once" | "again">("no");
  async function readEnd(): Promise<void> {
    const since = curves?.flatMap(({ worths }) => unsettledFrom(worths) ?? []).sort()[0];
    if (since === undefined || reading.current !== "no") {
      if (reading.current === "once") reading.current = "again";
      return;
    }
    do {
      reading.current = "once";
      const { data } = await client.query(textOf(ReadWorths), { ...scoped, from: since, to: null, interval });
      const later = curvesIn(data);
      if (later !== undefined) setEnd({ of, at: now(), curves: later });
    } while (isAgain(reading.current));
    reading.current = "no";
  }
  const missing = [...new Set(curves?.flatMap(({ worths }) => worths.missingAccounts.map(({ name }) => name)))];
  const isContinued = to === null && curves?.some(hasPoints) === true;
  const watched = scope === "one" ? [account] : all.map(({ name }) => name).filter((name) => !missing.includes(name));
  const live = useLive(WatchWorth, isContinued ? { accounts: watched } : undefined, () => void readEnd());
  return { curves, feeds: isContinued ? [feed, live] : [feed], missing };
}

const isAgain = (state: string): boolean => state === "again";
