import { Fault } from "../datasources/index.js";
import { demand } from "../resolvers/index.js";
import type { Clients } from "./clients.js";
import { bearerOf } from "./principal/bearer.js";
import type { ClientPrincipal } from "./principal/clientPrincipal.js";

/** Whoever sends this header, and why it may not watch the gateway; it may where there is no reason. */
export async function watcherOf(
  clients: Clients,
  authorization: string | undefined,
): Promise<{ readonly who: string | null; readonly refused: Fault | undefined }> {
  const principal = await clients.identify(bearerOf(authorization));
  return principal instanceof Fault ? { who: null, refused: principal } : { who: principal.id, refused: refusalOf(principal) };
}

function refusalOf(principal: ClientPrincipal): Fault | undefined {
  try {
    demand(principal, "admin");
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
