import type { ExchangeAccount } from "../../calls/index.js";
import { countdownCancelAllPolicy } from "../policies/bulk.js";
import { done } from "../policies/replies.js";
import { plan, type WriteOptions, type WriteResult } from "../writePlan.js";
import type { RequestWrites } from "../writes.js";
import { mutation, type Planning, refuse, refuseMismatch } from "./mutation.js";

interface ArmInput extends WriteOptions {
  readonly seconds: number;
}

async function refuseClassic({ reads, account }: Planning): Promise<void> {
  if ((await reads.modeOf(account)) === "CLASSIC")
    refuseMismatch("account", "must be a unified account: other accounts have no dead man's switch");
}

const arm = mutation<ArmInput, null>({
  name: "armDeadMansSwitch",
  reply: done,
  plan: async (planning, { seconds }) => {
    await refuseClassic(planning);
    // The exchange's rule also allows 0, which disarms.
    if (seconds < 5 || seconds > 60) refuse("seconds", "must be a whole number from 5 to 60");
    return plan(countdownCancelAllPolicy, { countdown: seconds }, { countdown: "seconds" });
  },
});

const disarm = mutation<WriteOptions, null>({
  name: "disarmDeadMansSwitch",
  reply: done,
  plan: async (planning) => {
    await refuseClassic(planning);
    return plan(countdownCancelAllPolicy, { countdown: 0 });
  },
});

type Switch<I> = (request: RequestWrites, account: ExchangeAccount, input: I) => Promise<WriteResult<null>>;

/** Notifies the keeper at once. */
const kept =
  <I>(change: Switch<I>): Switch<I> =>
  async (request, account, input) => {
    const result = await change(request, account, input);
    await request.writes.switches.look(account);
    return result;
  };

/** Arms the exchange's dead man's switch: unless it is kept alive, every open order is cancelled after so many seconds. */
export const armDeadMansSwitch = kept(arm);
export const disarmDeadMansSwitch = kept(disarm);
