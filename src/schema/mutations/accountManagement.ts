import { modeChange } from "@exchange-graph/contract/account";
import { text } from "../fields.js";
import { extended, Input, RecordType, recordOf } from "../record.js";
import { WriteInput, WritePayload } from "./write.js";

@Input("A new e-mail address for a broker's sub-account")
export class ModifySubAccountEmailInput extends extended(WriteInput, {
  subUid: text("User identifier of the sub-account"),
  email: text("The new address"),
}) {}

@RecordType("A sub-account whose e-mail address was changed", { implements: WritePayload })
export class ModifySubAccountEmailPayload extends WritePayload {}

@Input("The upgrade of a Classic account to a unified one. It takes about a minute")
export class UpgradeAccountInput extends extended(WriteInput, {
  subUid: text.optional("User identifier of a sub-account. Default: the account itself"),
}) {}

@RecordType("State of the upgrade of an account")
export class AccountUpgrade extends recordOf(modeChange) {}

@RecordType("An upgrade that was started", { implements: WritePayload })
export class UpgradeAccountPayload extends WritePayload {}
