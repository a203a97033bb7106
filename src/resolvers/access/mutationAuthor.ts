import type { WriteAuthor } from "../../datasources/writes/index.js";
import type { MutationEnd } from "../../instrumentation/events.js";

/** The client of an operation's mutations, with callbacks for their ends. */
export interface MutationAuthor extends WriteAuthor {
  ended(mutation: Omit<MutationEnd, "origin">): void;
}
