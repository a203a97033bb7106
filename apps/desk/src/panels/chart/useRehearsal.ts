import { useEffect, useState } from "react";
import { now } from "../../state/clock.js";
import { type Preview, Previews } from "../trade/previews.js";
import { after } from "../trade/usePreview.js";
import type { Change } from "./moves.js";

type Result = Awaited<ReturnType<Change["rehearse"]>>;

/** The dry run of a change while it is composed; undefined until there is one of this change. */
export function useRehearsal(change: Change | undefined): Result | undefined {
  const [last, setLast] = useState<Preview<Change, Result>>();
  const [previews] = useState(() => new Previews<Change, Result>((change) => change.rehearse(), setLast, { now, after }));
  useEffect(() => {
    previews.want(change);
  });
  useEffect(() => () => previews.close(), [previews]);
  return change !== undefined && last?.input.key === change.key ? last.result : undefined;
}
