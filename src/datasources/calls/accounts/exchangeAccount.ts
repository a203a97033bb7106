import { createHash } from "node:crypto";
import type { Secret } from "../../errors/index.js";

/** Valid account names. Keys are built from names, so names contain no separators. */
export const ACCOUNT_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
/** Maximum number of accounts of one gateway. */
export const MAX_ACCOUNTS = 50;

export type AccountMode = "CLASSIC" | "UNIFIED";

/** The credentials that sign for one account. */
export interface Credentials {
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
  readonly passphrase: Secret;
}

/** One configured account: its name and credentials. */
export interface ExchangeAccount {
  readonly name: string;
  readonly credentials: Credentials;
  /** Copy-trading traders have lower limits for placing orders. */
  readonly isCopyTrader: boolean;
}

/** Identifier of a key without its secret; accounts with the same key have the same. */
export const keyDigest = ({ apiKey }: Credentials): string => createHash("sha256").update(apiKey.reveal()).digest("base64url");
