import { Fault } from "../datasources/index.js";
import { demand } from "../resolvers/index.js";
import type { Callers } from "./callers.js";
import { bearerOf } from "./principal/bearer.js";
import type { Caller } from "./principal/caller.js";

/** Whoever sends this header, and why it may not watch the gateway; it may where there is no reason. */
export async function watcherOf(
  callers: Callers,
  authorization: string | undefined,
): Promise<{ readonly who: string | null; readonly refused: Fault | undefined }> {
  const caller = await callers.identify(bearerOf(authorization));
  return caller instanceof Fault ? { who: null, refused: caller } : { who: caller.principal, refused: refusalOf(caller) };
}

function refusalOf(caller: Caller): Fault | undefined {
  try {
    demand(caller, "admin");
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
