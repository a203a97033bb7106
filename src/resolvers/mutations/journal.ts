import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { type ExchangeAccount, FAULTS, type FaultCode } from "../../datasources/index.js";
import { type JournalEntry as JournaledWrite, madeBy, readJournal, type WrittenRecord } from "../../datasources/writes/index.js";
import { Account } from "../../schema/account.js";
import { Cost } from "../../schema/cost.js";
import { closedEnum } from "../../schema/enums/exchangeEnum.js";
import { type JournalEntry, JournalEntryConnection, UserError } from "../../schema/mutations/write.js";
import { InheritsScope, RequiresScope } from "../../schema/requiresScope.js";
import { withAccount } from "../accountScoped.js";
import { connectionFrom } from "../connection.js";
import type { RequestContext } from "../context.js";
import { first } from "../fieldCosts.js";
import { HistoryArguments } from "../pageArguments.js";

/** Converts a journal entry to its type in the graph. */
export const journalEntryOf = (
  entry: JournaledWrite,
): Omit<JournalEntry, "account"> & { readonly made: WrittenRecord | undefined } => ({
  made: madeBy(entry),
  seq: String(entry.seq),
  mutation: entry.mutation,
  endpoint: entry.endpoint,
  idempotencyKey: entry.key,
  clientOid: entry.clientOid,
  parameters: entry.values,
  status: entry.state,
  reply: entry.reply ?? null,
  problem:
    entry.problem === null
      ? null
      : { code: entry.problem.code, message: entry.problem.message, exchangeCode: entry.problem.exchange?.code ?? null },
  sentTime: entry.sentAt,
  expireTime: entry.validUntil,
  settledTime: entry.settledAt,
});

@Resolver(() => Account)
export class JournalResolver {
  @RequiresScope("read:account")
  @Cost({ rows: first })
  @FieldResolver(() => JournalEntryConnection, {
    description:
      "Writes to this account through this gateway and their outcomes, newest first. Finished writes are kept for a week, at most the last 100,000 of the gateway",
  })
  async journal(
    @Root() account: ExchangeAccount,
    @Ctx() { writes }: RequestContext,
    @Args(() => HistoryArguments) page: HistoryArguments,
  ): Promise<JournalEntryConnection> {
    return connectionFrom(await readJournal(writes, account, page), page.after, (entry) =>
      withAccount(account, journalEntryOf(entry)),
    );
  }
}

const CODES = Object.keys(FAULTS) as FaultCode[];

/** The registry of errors as an enum. */
const ErrorCode = closedEnum(
  "ErrorCode",
  CODES,
  "A code of the error registry: the same as in `extensions.code` of an error",
  Object.fromEntries(CODES.map((code) => [code, FAULTS[code].meaning.replace(/\.$/, "")])) as Record<FaultCode, string>,
);

@Resolver(() => UserError)
export class UserErrorResolver {
  @InheritsScope()
  @FieldResolver(() => ErrorCode, { description: "What kind of error it is" })
  code(@Root() { code }: { readonly code: string }): FaultCode {
    // The journal may have codes of another version.
    return CODES.find((one) => one === code) ?? "INTERNAL_SERVER_ERROR";
  }
}
