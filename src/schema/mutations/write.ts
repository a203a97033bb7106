import { Field, InputType, InterfaceType } from "type-graphql";
import { WriteOutcome } from "../enums/write.js";
import { RecordType } from "../record.js";
import { JournalEntry } from "./journal.js";

/** What every input has besides what is to be written. */
@InputType()
export abstract class WriteInput {
  @Field(() => String, { nullable: true, description: "Name of the account in this gateway; the first account if left out" })
  readonly account?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Makes a repetition recognisable: the same key with the same input gives the first outcome and sends nothing, however often and however many at once. 1 to 128 characters. If left out: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a write of its own",
  })
  readonly idempotencyKey?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Check and show what would be sent, but send nothing. Checked are the rules of the endpoint and of the symbol, the account's mode, halts, the limits of this gateway, and of a new order whether the account holds enough. Not checked is what the exchange alone knows",
  })
  readonly dryRun?: boolean | null;
}

@RecordType("What the exchange itself said")
class ExchangeWords {
  @Field(() => String, { description: "Its code, for example `43012`. The two generations have tables of their own" })
  readonly code!: string;

  @Field(() => String, { description: "Its text" })
  readonly msg!: string;
}

@RecordType("What stands against a write")
class UserError {
  @Field(() => String, { description: "A code of the error registry, the same as in `extensions.code` of an error" })
  readonly code!: string;

  @Field(() => String, { description: "What is wrong and, of a broken rule, what would be right" })
  readonly message!: string;

  @Field(() => String, {
    nullable: true,
    description: "The field of the input that it is about, for example `takeProfit.triggerPrice`; null when it is about none",
  })
  readonly field!: string | null;

  @Field(() => ExchangeWords, { nullable: true, description: "The exchange's own words, where it has spoken" })
  readonly exchange!: ExchangeWords | null;

  @Field(() => Boolean, { description: "May the same write succeed later, sent again under a new key?" })
  readonly retryable!: boolean;
}

@RecordType("The call that a dry run would have made; without signature and keys")
class RehearsedRequest {
  @Field(() => String, { description: "HTTP method" })
  readonly method!: string;

  @Field(() => String, { description: "Path at the exchange" })
  readonly path!: string;

  @Field(() => String, { description: "Body, as it would have been signed and sent: JSON" })
  readonly body!: string;
}

@InterfaceType({ description: "What every mutation answers" })
export abstract class WritePayload {
  @Field(() => WriteOutcome, {
    nullable: true,
    description: "What became of the write; null for a dry run that nothing stands against",
  })
  readonly outcome!: WriteOutcome | null;

  @Field(() => [UserError], { description: "What stands against it; empty when it was accepted" })
  readonly userErrors!: readonly UserError[];

  @Field(() => RehearsedRequest, { nullable: true, description: "What a dry run would have sent; null otherwise" })
  readonly request!: RehearsedRequest | null;

  @Field(() => Boolean, {
    description:
      "Is this the outcome of an earlier call with the same key, or of one at the same time? Then nothing was sent for this one",
  })
  readonly isReplay!: boolean;

  @Field(() => Boolean, {
    description:
      "Did it leave although the journal could not be written? Only a write that takes risk away does: a cancel, a reduce-only close, a take-profit or stop-loss. After a restart its key is free again",
  })
  readonly sentWithoutJournal!: boolean;

  @Field(() => JournalEntry, {
    nullable: true,
    description: "The write in the account's journal; null when nothing has left, and when it left without the journal",
  })
  readonly journalEntry!: JournalEntry | null;
}
