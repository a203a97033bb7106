import { createHash } from "node:crypto";

/**
 * The hash chain of the audit. Each line has its number, the hash of the line before, and its own hash over all of its text
 * before that. Changing, removing or moving a line breaks the chain.
 */
const LINK = /^(.*,"chain":\{"n":(\d{1,15}),"prev":"([\da-f]{64})"\}),"hash":"([\da-f]{64})"\}$/s;

/** The end of a chain. */
export interface Head {
  /** Number of its last line; 0 for an empty chain. */
  readonly n: number;
  readonly hash: string;
}

/** The end of an empty chain. */
export const BEGINNING: Head = { n: 0, hash: "0".repeat(64) };

export interface LinkedLine {
  readonly n: number;
  readonly prev: string;
  readonly hash: string;
  /** Whether the hash matches the text. */
  readonly isIntact: boolean;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Appends the chain's fields to a line of JSON, and returns the new end of the chain. */
export function linked(line: string, { n, hash: prev }: Head): { readonly text: string; readonly head: Head } {
  const text = `${line.trimEnd().slice(0, -1)},"chain":{"n":${n + 1},"prev":"${prev}"}`;
  const hash = hashOf(text);
  return { text: `${text},"hash":"${hash}"}\n`, head: { n: n + 1, hash } };
}

/** The chain's fields of a line; `undefined` if it has none. */
export function linksOf(line: string): LinkedLine | undefined {
  const [, text = "", n = "", prev = "", hash = ""] = LINK.exec(line) ?? [];
  return text === "" ? undefined : { n: Number.parseInt(n, 10), prev, hash, isIntact: hashOf(text) === hash };
}
