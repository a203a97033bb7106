import { Fault, faultIn } from "../datasources/errors/index.js";
import { demand } from "../resolvers/index.js";
import type { Clients } from "./clients.js";
import { bearerOf } from "./principal/bearer.js";
import type { ClientPrincipal } from "./principal/clientPrincipal.js";

/** The client of this header, and the reason why it may not read the gateway's state, if it may not. */
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
    return faultIn(error);
  }
}
