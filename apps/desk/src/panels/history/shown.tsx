import type { Feed } from "../../graph/feed.js";
import { t } from "../../text/text.js";

/** The state of a panel about the history. */
export interface Shown {
  readonly feeds: readonly Feed[];
  readonly has: boolean;
  readonly empty: string | false;
}

/** A gateway that records nothing is no failure: the panel says so, and reads nothing again. */
export function shown(feeds: readonly Feed[], { has, empty }: Omit<Shown, "feeds">): Shown {
  const isOff = feeds.some(({ faults }) => faults.some(({ code, retryable }) => code === "HISTORY_UNAVAILABLE" && !retryable));
  if (!isOff) return { feeds, has, empty };
  const words = t("This gateway records no history. HISTORY_INTERVAL_MINUTES sets how often it does");
  return { feeds: feeds.map((feed) => ({ ...feed, faults: [] })), has: true, empty: words };
}

/** Accounts that are not in a sum, or have no curve. */
export const Incomplete = ({ missing }: { readonly missing: readonly string[] }) =>
  missing.length > 0 && (
    <span className="warn" title={t("Nothing is recorded of it in this range")}>
      {t("without")} {missing.join(", ")}
    </span>
  );

/** Names of the accounts that some of these rows do not contain. */
export const missingIn = (
  rows: readonly { readonly missingAccounts: readonly { readonly name: string }[] }[] | null | undefined,
): readonly string[] => [...new Set(rows?.flatMap(({ missingAccounts }) => missingAccounts.map(({ name }) => name)))];
