import { createHash, randomBytes } from "node:crypto";

/** Prefix by which people and secret scanners recognise a token. */
export const TOKEN_PREFIX = "exgt_";

const RANDOM_BYTES = 32;

/** A new bearer token: the prefix and 256 random bits. */
export const newToken = (): string => TOKEN_PREFIX + randomBytes(RANDOM_BYTES).toString("base64url");

/** The stored hash of a token. Random tokens cannot be guessed, so it needs no salt and no slow hash function. */
export const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();
