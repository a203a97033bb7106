import { z } from "zod";

/** The token of an `Authorization` header; empty, which is never a valid token, if the header has another scheme. */
export function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1] ?? "";
}

const params = z.record(z.string(), z.unknown());

/**
 * The token in the payload of `connection_init`: `authorization` in the form of the header, its name in any letter case, or
 * `token` alone. Browsers cannot set headers of a WebSocket.
 */
export function bearerIn(connectionParams: unknown): string | undefined {
  const read = params.safeParse(connectionParams);
  if (!read.success) return undefined;
  for (const [name, value] of Object.entries(read.data)) {
    const word = name.toLowerCase();
    if (word === "authorization") return typeof value === "string" ? bearerOf(value) : "";
    if (word === "token") return typeof value === "string" ? value : "";
  }
  return undefined;
}
