import { Field } from "type-graphql";
import { Account } from "../account.js";
import { type ConnectionOf, connectionOf } from "../connection.js";
import { WriteState } from "../enums/write.js";
import { Node } from "../node.js";
import { RecordType } from "../record.js";
import { DateTime } from "../scalars.js";

@RecordType("Why a write in the journal was not accepted, or is not known to be")
class JournalProblem {
  @Field(() => String, { description: "A code of the error registry" })
  readonly code!: string;

  @Field(() => String, { description: "What happened" })
  readonly message!: string;

  @Field(() => String, { nullable: true, description: "The exchange's own code, if it answered" })
  readonly exchangeCode!: string | null;
}

@RecordType("A write as it was recorded before it was sent, and its outcome", { implements: Node })
export class JournalEntry {
  @Field(() => Account, { description: "The account that it was written to" })
  readonly account!: Account;

  @Field(() => String, {
    description: "Its number in this gateway's journal, `write` in the log and the audit: it grows with each write",
  })
  readonly seq!: string;

  @Field(() => String, { description: "The mutation that made it, for example `placeOrder`" })
  readonly mutation!: string;

  @Field(() => String, { description: "The endpoint that it went to, by this gateway's name for it" })
  readonly endpoint!: string;

  @Field(() => String, { description: "The key under which a repetition finds it" })
  readonly idempotencyKey!: string;

  @Field(() => String, {
    nullable: true,
    description:
      "The client's own identifier (`clientOid`) that was sent, given by the client or made by the gateway; null if there is none",
  })
  readonly clientOid!: string | null;

  @Field(() => String, { description: "The exchange's parameters that were sent, as JSON" })
  readonly parameters!: string;

  @Field(() => WriteState, { description: "State of the write" })
  readonly state!: WriteState;

  @Field(() => String, { nullable: true, description: "The exchange's reply, as JSON; null unless it was accepted" })
  readonly reply!: string | null;

  @Field(() => JournalProblem, {
    nullable: true,
    description: "Why it was not accepted; null if it was, or is not finished",
  })
  readonly problem!: JournalProblem | null;

  @Field(() => DateTime, { description: "When it was sent, by the exchange's clock" })
  readonly sentTime!: number;

  @Field(() => DateTime, { description: "Until when the exchange may still carry out a request that got lost, by its own clock" })
  readonly validUntil!: number;

  @Field(() => DateTime, { nullable: true, description: "When its state last changed; null while the answer is awaited" })
  readonly settledTime!: number | null;
}

export const JournalEntryConnection = connectionOf(JournalEntry);
export type JournalEntryConnection = ConnectionOf<JournalEntry>;
