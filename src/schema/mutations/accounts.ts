import { modeChange } from "@exchange-graph/contract/account";
import { Field, InputType } from "type-graphql";
import { RecordType, recordOf } from "../record.js";
import { WriteInput, WritePayload } from "./write.js";

@InputType({ description: "A new e-mail address for a broker's sub-account" })
export class ModifySubAccountEmailInput extends WriteInput {
  @Field(() => String, { description: "User identifier of the sub-account" })
  readonly subUid!: string;

  @Field(() => String, { description: "The new address" })
  readonly email!: string;
}

@RecordType("A sub-account whose e-mail address was changed", { implements: WritePayload })
export class ModifySubAccountEmailPayload extends WritePayload {}

@InputType({ description: "The upgrade of a Classic account to a unified one. It takes about a minute" })
export class UpgradeAccountInput extends WriteInput {
  @Field(() => String, {
    nullable: true,
    description: "User identifier of a sub-account. Default: the account itself",
  })
  readonly subUid?: string | null;
}

@RecordType("State of the upgrade of an account")
export class AccountUpgrade extends recordOf(modeChange) {}

@RecordType("An upgrade that was started", { implements: WritePayload })
export class UpgradeAccountPayload extends WritePayload {}
