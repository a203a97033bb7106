import { DeadMansSwitch } from "../deadMansSwitch.js";
import { integer, of } from "../fields.js";
import { extended, Input, RecordType } from "../record.js";
import { WriteInput, WritePayload } from "./write.js";

@Input("The arming of the exchange's dead man's switch. Unified accounts only")
export class ArmDeadMansSwitchInput extends extended(WriteInput, {
  seconds: integer("Seconds without a call of the gateway after which every open order is cancelled: 5 to 60"),
}) {}

@Input("The disarming of the exchange's dead man's switch")
export class DisarmDeadMansSwitchInput extends WriteInput {}

@RecordType("A dead man's switch that was armed", { implements: WritePayload })
export class ArmDeadMansSwitchPayload extends extended(WritePayload, {
  deadMansSwitch: of(DeadMansSwitch).orNull("The switch after the write; null if it is not armed"),
}) {}

@RecordType("A dead man's switch that was disarmed", { implements: WritePayload })
export class DisarmDeadMansSwitchPayload extends extended(WritePayload, {
  deadMansSwitch: of(DeadMansSwitch).orNull("The switch after the write: null unless it is still armed"),
}) {}
