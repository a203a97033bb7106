import { Refused } from "../../src/refused.js";

/** The code that an action is refused with, or `accepted`. */
export function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Refused) return error.refusal.code;
    throw error;
  }
  return "accepted";
}
