import { useEffect, useState } from "react";
import { isUnanswered } from "../../graph/fault.js";
import { line } from "../../graph/session.js";
import { now } from "../../state/clock.js";
import { useStore } from "../../state/store.js";
import { type Preview, Previews } from "../trade/previews.js";
import { after } from "../trade/usePreview.js";
import type { Change } from "./moves.js";

type Result = Awaited<ReturnType<Change["rehearse"]>>;

interface Rehearsed {
  readonly change: Change;
  /** Since when the line to the gateway is there, Unix ms. */
  readonly since: number;
}

/**
 * The dry run of a change while it is composed; undefined until there is one of this change. While the line to the gateway is lost
 * there is none, and once it is back the change is rehearsed anew.
 */
export function useRehearsal(change: Change | undefined): Result | undefined {
  const [last, setLast] = useState<Preview<Rehearsed, Result>>();
  const [previews] = useState(() => new Previews<Rehearsed, Result>(({ change }) => change.rehearse(), setLast, { now, after }));
  const { state, since } = useStore(line);
  useEffect(() => {
    previews.want(change && state !== "lost" ? { change, since } : undefined);
  });
  useEffect(() => () => previews.close(), [previews]);
  if (change === undefined || last?.input.change.key !== change.key) return undefined;
  return last.input.since !== since && last.result.errors.some(isUnanswered) ? undefined : last.result;
}
