import type { OngoingLoan } from "../../reads/index.js";
import { WHOLE } from "./parts.js";
import { RecordLedger } from "./recordLedger.js";

const NO_FIELDS: ReadonlySet<string> = new Set();
const RULES = { clearable: NO_FIELDS, restOnly: NO_FIELDS };

/** The running loans of an account, and those that have ended recently. No push has loans, and none has a time of its change. */
export const loanLedger = (): RecordLedger<OngoingLoan> =>
  new RecordLedger<OngoingLoan>({
    keyOf: ({ orderId }) => orderId,
    hasEnded: () => false,
    compared: () => "UNDECIDED",
    rulesOf: () => RULES,
    // A list has every field: null is a value.
    merged: (_known, loan) => loan,
    leavesOut: () => "nothing",
    reportsUnknownEnds: true,
    partOf: () => WHOLE,
  });
