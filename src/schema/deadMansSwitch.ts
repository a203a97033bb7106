import { integer, time } from "./fields.js";
import { fieldsOf, RecordType } from "./record.js";

@RecordType(
  "The exchange's dead man's switch, armed for an account: the gateway keeps it alive while it runs, and once the exchange has not heard of it for so long, it cancels every open order",
)
export class DeadMansSwitch extends fieldsOf({
  seconds: integer("Seconds without a call of the gateway after which every open order is cancelled"),
  startTime: time("When it was armed, or last recorded as armed, by the exchange's clock"),
  expireTime: time.orNull(
    "When every open order is cancelled unless the exchange hears of the gateway before; null if the exchange has not confirmed the switch yet",
  ),
}) {}
