import { Field, InputType, InterfaceType } from "type-graphql";
import { Cost } from "../cost.js";
import { WriteOutcome } from "../enums/write.js";
import { RecordType } from "../record.js";
import { JournalEntry } from "./journal.js";

/** What every input has besides what is to be written. */
@InputType()
export abstract class WriteInput {
  @Field(() => String, { nullable: true, description: "Name of the account in this gateway. Default: the first account" })
  readonly account?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Makes a repeated call recognisable: the same key with the same input gives the first outcome and sends nothing, however often and however many at once. 1 to 128 characters. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none: every call is a write of its own",
  })
  readonly idempotencyKey?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Check the input and show what would be sent, but send nothing. Default: false. Checked are the rules of the endpoint and of the symbol, the account's mode, halts, the limits of this gateway, and of a new order whether the account holds enough. Not checked is what the exchange alone knows",
  })
  readonly dryRun?: boolean | null;
}

@RecordType("Code and text of the exchange's answer")
class ExchangeWords {
  @Field(() => String, {
    description: "Error code, for example `43012`. The interfaces v2 and v3 have different tables of codes",
  })
  readonly code!: string;

  @Field(() => String, { description: "Its text" })
  readonly msg!: string;
}

@RecordType("An error of a write")
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

  @Field(() => ExchangeWords, { nullable: true, description: "The exchange's own code and text, if it answered" })
  readonly exchange!: ExchangeWords | null;

  @Field(() => Boolean, { description: "May the same write succeed later, sent again under a new key?" })
  readonly retryable!: boolean;
}

@RecordType("The call that a dry run would have made; without signature and keys")
class RequestPreview {
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
    description: "Outcome of the write; null for a dry run without errors",
  })
  readonly outcome!: WriteOutcome | null;

  @Cost({ rows: 20 })
  @Field(() => [UserError], { description: "Errors of the write; empty if it was accepted" })
  readonly userErrors!: readonly UserError[];

  @Field(() => RequestPreview, { nullable: true, description: "What a dry run would have sent; null otherwise" })
  readonly request!: RequestPreview | null;

  @Field(() => Boolean, {
    description:
      "Is this the outcome of an earlier call with the same key, or of one at the same time? Then nothing was sent for this one",
  })
  readonly isReplay!: boolean;

  @Field(() => Boolean, {
    description:
      "Was it sent although the journal could not be written? Only a write that reduces risk is: a cancel, a reduce-only close, a take-profit or stop-loss. Its key is forgotten at a restart",
  })
  readonly sentWithoutJournal!: boolean;

  @Field(() => JournalEntry, {
    nullable: true,
    description: "The write in the account's journal; null if nothing was sent, or it was sent without the journal",
  })
  readonly journalEntry!: JournalEntry | null;
}
