import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../../datasources/index.js";
import { armDeadMansSwitch, disarmDeadMansSwitch } from "../../datasources/writes/index.js";
import { Account } from "../../schema/account.js";
import { Cost } from "../../schema/cost.js";
import { integer, of, time } from "../../schema/fields.js";
import { WriteInput, WritePayload } from "../../schema/mutations/write.js";
import { extended, fieldsOf, Input, RecordType } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { RequestContext } from "../context.js";
import { Audited } from "./observeMutations.js";
import { type WrittenPayload, write } from "./write.js";

@RecordType(
  "The exchange's dead man's switch, armed for an account: the gateway keeps it alive while it runs, and once the exchange has not heard of it for so long, it cancels every open order",
)
class DeadMansSwitch extends fieldsOf({
  seconds: integer("Seconds without a call of the gateway after which every open order is cancelled"),
  startTime: time("When it was armed, or last recorded as armed, by the exchange's clock"),
  expireTime: time.orNull(
    "When every open order is cancelled unless the exchange hears of the gateway before; null if the exchange has not confirmed the switch yet",
  ),
}) {}

@Input("The arming of the exchange's dead man's switch. Unified accounts only")
class ArmDeadMansSwitchInput extends extended(WriteInput, {
  seconds: integer("Seconds without a call of the gateway after which every open order is cancelled: 5 to 60"),
}) {}

@Input("The disarming of the exchange's dead man's switch")
class DisarmDeadMansSwitchInput extends WriteInput {}

@RecordType("A dead man's switch that was armed", { implements: WritePayload })
export class ArmDeadMansSwitchPayload extends extended(WritePayload, {
  deadMansSwitch: of(DeadMansSwitch).orNull("The switch after the write; null if it is not armed"),
}) {}

@RecordType("A dead man's switch that was disarmed", { implements: WritePayload })
export class DisarmDeadMansSwitchPayload extends extended(WritePayload, {
  deadMansSwitch: of(DeadMansSwitch).orNull("The switch after the write: null unless it is still armed"),
}) {}

/** Reads of the account's mode and user, and the call itself. A lost answer is not looked up, because no read shows the switch. */
const SWITCH = { calls: 3 };

async function switchOf({ exchange, reads }: RequestContext, account: ExchangeAccount): Promise<DeadMansSwitch | null> {
  reads.trace.markFleeting();
  const armed = await exchange.writes.switches.of(account);
  return armed === undefined ? null : { seconds: armed.seconds, startTime: armed.since, expireTime: armed.until };
}

@Resolver()
export class DeadMansSwitchMutations {
  @RequiresScope("trade", "input", "account")
  @Cost(SWITCH)
  @Audited()
  @Mutation(() => ArmDeadMansSwitchPayload, {
    description:
      "Arms the exchange's dead man's switch for an account. The gateway keeps it alive while it runs, also after a restart; when no gateway does, the exchange cancels every open order of the account. Strategy orders may stay. A halt leaves it as it is. Unified accounts only. Source: POST /api/v3/trade/countdown-cancel-all",
  })
  async armDeadMansSwitch(
    @Arg("input", () => ArmDeadMansSwitchInput, { description: "The switch, and the options of the write" })
    input: ArmDeadMansSwitchInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<ArmDeadMansSwitchPayload>> {
    const written = await write(context, input, armDeadMansSwitch, () => ({ deadMansSwitch: null }));
    return { ...written, deadMansSwitch: await after(context, written) };
  }

  @RequiresScope("trade", "input", "account")
  @Cost(SWITCH)
  @Audited()
  @Mutation(() => DisarmDeadMansSwitchPayload, {
    description:
      "Disarms the exchange's dead man's switch. A call to keep it alive that was under way may arm it once more for a moment: it is disarmed again until none can arrive any more. Refused during a halt. Source: POST /api/v3/trade/countdown-cancel-all",
  })
  async disarmDeadMansSwitch(
    @Arg("input", () => DisarmDeadMansSwitchInput, { description: "The account, and the options of the write" })
    input: DisarmDeadMansSwitchInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<DisarmDeadMansSwitchPayload>> {
    const written = await write(context, input, disarmDeadMansSwitch, () => ({ deadMansSwitch: null }));
    return { ...written, deadMansSwitch: await after(context, written) };
  }
}

/** The switch after a write that was sent. */
const after = async (context: RequestContext, { account, journalEntry }: Sent): Promise<DeadMansSwitch | null> =>
  account === undefined || journalEntry === null ? null : switchOf(context, account);
type Sent = Pick<WrittenPayload<ArmDeadMansSwitchPayload>, "account" | "journalEntry">;

@Resolver(() => Account)
export class AccountSwitchResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 0 })
  @FieldResolver(() => DeadMansSwitch, {
    nullable: true,
    description:
      "The exchange's dead man's switch of the account; null if it is not armed by this gateway. It is read from the journal; the exchange shows it nowhere",
  })
  deadMansSwitch(@Root() account: ExchangeAccount, @Ctx() context: RequestContext): Promise<DeadMansSwitch | null> {
    return switchOf(context, account);
  }
}
