import { z } from "zod";
import { Fault } from "../../datasources/index.js";

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

/** Reasons to refuse a client. They do not say what is wrong with a token, because that would help to guess one. */
export const NO_TOKEN = new Fault("UNAUTHENTICATED", "this gateway requires a token: send it as `Authorization: Bearer <token>`");
export const BAD_TOKEN = new Fault("UNAUTHENTICATED", "the token is unknown or no longer valid");
/** For a JWT whose keys cannot be fetched: it may be valid. */
export const KEYS_MISSING = new Fault("UNAVAILABLE", "the token cannot be checked now: its issuer's keys cannot be fetched", {
  retryAfterMs: 1_000,
});
/** For an open connection whose token now has other rights. */
export const RIGHTS_CHANGED = new Fault("FORBIDDEN", "the rights of the token have changed: connect again");
