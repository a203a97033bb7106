import { isRead } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../calls/index.js";
import { identityUnder, type Slice, type SliceArguments, sliceTokenPaged } from "../reads/index.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import type { RequestWrites } from "./writes.js";

/** One write to an account, by its number and its key; `null` if the journal does not have it any more. */
export async function findJournalEntry(
  { writes, reads: { trace } }: RequestWrites,
  account: ExchangeAccount,
  { seq, key }: { readonly seq: number; readonly key: string },
): Promise<JournalEntry | null> {
  trace.markFleeting();
  const [entry] = await writes.journal.page(await writes.users.of(account), seq + 1, 1);
  return entry?.seq === seq && entry.key === key ? entry : null;
}

/** Entries that are read at once to find those up to a time. */
const SKIPPED = 500;

/** The writes to an account through this gateway, newest first. The first use of an API key takes one call, for its user. */
export async function readJournal(
  { writes, reads }: RequestWrites,
  account: ExchangeAccount,
  { from, to, ...args }: SliceArguments & { readonly from?: number | null | undefined; readonly to?: number | null | undefined },
): Promise<Slice<JournalEntry>> {
  reads.trace.markFleeting();
  const user = await writes.users.of(account);
  return sliceTokenPaged(
    {
      identity: identityUnder(reads.identitiesOf(account), (owner) =>
        JSON.stringify(["journal", owner, from ?? null, to ?? null]),
      ),
      maxPageSize: 100,
      rowKey: (row) => (isRead(row) ? String(row.seq) : undefined),
      page: async (pageToken, limit) => {
        const rows: JournalEntry[] = [];
        let before = pageToken === undefined ? undefined : Number.parseInt(pageToken, 10);
        for (let isLast = false; !isLast && rows.length < limit; ) {
          const size = to === null || to === undefined ? limit : SKIPPED;
          const found = await writes.journal.page(user, before, size);
          rows.push(...found.filter(({ sentAt }) => sentAt >= (from ?? 0) && sentAt <= (to ?? sentAt)));
          before = found.at(-1)?.seq;
          isLast = found.length < size || (found.at(-1)?.sentAt ?? 0) < (from ?? 0);
        }
        return { rows: rows.slice(0, limit), next: rows[limit - 1]?.seq.toString() };
      },
    },
    args,
  );
}
