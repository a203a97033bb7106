import { createHash } from "node:crypto";
import type { Secret } from "../secret.js";

/** How accounts may be called. Keys are built of names, so none holds a sign that divides one. */
export const ACCOUNT_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
/** As many as one gateway serves. */
export const MAX_ACCOUNTS = 50;

export type AccountMode = "CLASSIC" | "UNIFIED";

/** What signs for one account. */
export interface Credentials {
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
  readonly passphrase: Secret;
}

/** One configured account: its name in the graph and what signs for it. */
export interface ExchangeAccount {
  readonly name: string;
  readonly credentials: Credentials;
  /** A copy-trading trader has lower limits for placing orders. */
  readonly isCopyTrader: boolean;
}

/** A name for what signs: nobody can sign with it, and accounts with the same key have the same. */
export const keyDigest = ({ apiKey }: Credentials): string => createHash("sha256").update(apiKey.reveal()).digest("base64url");
