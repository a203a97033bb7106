import { createHash, randomBytes } from "node:crypto";

/** Recognisable: for whoever finds one in a log or a repository, and for tools that look for such finds. */
export const TOKEN_PREFIX = "exgt_";

const RANDOM_BYTES = 32;

/** A bearer token that nobody can guess: the prefix and 256 random bits. */
export const newToken = (): string => TOKEN_PREFIX + randomBytes(RANDOM_BYTES).toString("base64url");

/** What is kept of a token. It cannot be turned back, and needs no salt or slow function: there is nothing to guess. */
export const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();
