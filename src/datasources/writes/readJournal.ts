import { isRead } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../calls/index.js";
import { type Slice, type SliceArguments, sliceTokenPaged } from "../reads/index.js";
import type { JournalEntry } from "./journal/entry.js";
import type { RequestWrites } from "./requestWrites.js";

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

/** The writes to an account through this gateway, newest first. Makes one call per key, for its user. */
export async function readJournal(
  { writes, reads: { trace } }: RequestWrites,
  account: ExchangeAccount,
  asked: SliceArguments,
): Promise<Slice<JournalEntry>> {
  trace.markFleeting();
  const user = await writes.users.of(account);
  return sliceTokenPaged(
    {
      identity: JSON.stringify(["journal", account.name]),
      maxPageSize: 100,
      rowKey: (row) => (isRead(row) ? String(row.seq) : undefined),
      page: async (pageToken, limit) => {
        const rows = await writes.journal.page(user, pageToken === undefined ? undefined : Number.parseInt(pageToken, 10), limit);
        return { rows, next: rows.at(-1)?.seq.toString() };
      },
    },
    asked,
  );
}
