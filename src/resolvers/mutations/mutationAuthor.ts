import type { WriteAuthor } from "../../datasources/writes/write.js";
import type { MutationEnd } from "../../instrumentation/events.js";

/** In whose name the mutations of one operation write, and who hears of their ends. */
export interface MutationAuthor extends WriteAuthor {
  ended(mutation: Omit<MutationEnd, "origin">): void;
}
