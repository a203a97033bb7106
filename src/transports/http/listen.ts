import type { FastifyInstance, FastifyListenOptions } from "fastify";
import { ConfigError } from "../../config/configError.js";

/** An address, and the settings that name its parts. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly settings: { readonly host: string; readonly port: string };
}

/** Listens and returns the address. Throws `ConfigError` if the settings name an address that cannot be used here. */
export async function listenAt(
  app: Pick<FastifyInstance, "listen">,
  address: ListenAddress,
  listenTextResolver: NonNullable<FastifyListenOptions["listenTextResolver"]>,
): Promise<string> {
  const { host, port } = address;
  try {
    return await app.listen({ host, port, listenTextResolver });
  } catch (error) {
    const mistake = error instanceof Error && "code" in error ? mistakeOf(error.code, address) : undefined;
    throw mistake === undefined ? error : new ConfigError([mistake]);
  }
}

function mistakeOf(code: unknown, { host, port, settings }: ListenAddress): string | undefined {
  switch (code) {
    case "EADDRINUSE":
      return `${settings.port}: another program uses port ${port} of ${host}: choose another one, or 0 for any free one`;
    case "EACCES":
      return `${settings.port}: port ${port} needs rights that this process does not have: choose one from 1024 on`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${settings.host}: must be an address or a name of this machine, and is "${host}"`;
    default:
      return undefined;
  }
}
