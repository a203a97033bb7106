import { z } from "zod";

/** The token of an `Authorization` header; empty, and so known to nobody, where the header holds something else. */
export function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1] ?? "";
}

const params = z.record(z.string(), z.unknown());

/**
 * The token that a socket says hello with: `authorization` as in a header, in whatever letter case headers are written,
 * or `token` alone. Browsers cannot give a socket headers.
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
