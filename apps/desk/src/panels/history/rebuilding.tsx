import { percent } from "../../format/format.js";
import { dateTime } from "../../format/time.js";
import { graphql } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { t } from "../../text/text.js";

const ReadRebuilding = graphql(`
  query ReadRebuilding($account: String) {
    account(name: $account) {
      historyBackfill {
        status
        share
        reachedTime
      }
    }
  }
`);

const EVERY_MS = 5_000;

/** How far the account's past before its first sample is rebuilt, while that goes on. */
export function Rebuilding({ account }: { readonly account: string }) {
  const { data } = useRead(ReadRebuilding, { account }, { everyMs: EVERY_MS });
  const progress = data?.account?.historyBackfill;
  if (progress?.status !== "RUNNING" || progress.reachedTime === null) return null;
  const day = dateTime(progress.reachedTime, "UTC").split(" ")[0] ?? "";
  return (
    <label>
      {t("The past is being rebuilt, back to {day} so far: {share}", { day, share: percent(progress.share, 0) })}{" "}
      <progress value={Number.parseFloat(progress.share)} max={1} />
    </label>
  );
}
