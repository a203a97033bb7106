import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Accounts, ExchangeClient, ExchangeClock, KnownUsers, Scheduler } from "../calls/index.js";
import type { AccountModes, Reader, Users } from "../reads/index.js";
import type { Halts } from "./halts/halts.js";
import type { WriteJournal } from "./journal/writeJournal.js";
import type { LimitGate } from "./limits/limitGate.js";
import type { Usage } from "./limits/usage.js";
import type { PositionModes } from "./positionModes.js";

/** Dependencies of writing. Each step of a write declares those that it uses. */
export interface WriteParts {
  readonly accounts: Accounts;
  readonly client: ExchangeClient;
  readonly exchangeClock: ExchangeClock;
  readonly reader: Reader;
  readonly scheduler: Scheduler;
  readonly modes: AccountModes;
  readonly positionModes: PositionModes;
  readonly clock: Clock;
  readonly journal: WriteJournal;
  readonly users: Users;
  readonly knownUsers: Pick<KnownUsers, "idOf" | "accountsOf">;
  readonly halts: Halts;
  readonly usage: Usage;
  readonly limits: Pick<LimitGate, "dayBroken" | "applyTo" | "inForce">;
  /** Whether writes that only reduce risk are sent when the journal cannot be written. */
  readonly cancelWithoutJournal: boolean;
  /** Returns a unique text. */
  readonly newName: () => string;
  /** Maximum time that a client waits for the exchange's answer; after a lost one, half of it for a look-up. */
  readonly deadlineMs: number;
  readonly instrumentation: Instrumentation;
}
