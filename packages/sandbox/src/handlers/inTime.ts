import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../refused.js";

/** Time and receive window of a Classic spot call, both in ms. */
interface Guarded {
  readonly requestTime?: number | undefined;
  readonly receiveWindow?: number | undefined;
}

/** Refuses a call that arrived after its receive window. */
export function checkInTime(now: number, { requestTime, receiveWindow }: Guarded): void {
  if (requestTime !== undefined && receiveWindow !== undefined && now - requestTime > receiveWindow)
    throw new Refused(REFUSAL.outsideReceiveWindow);
}
