import { createHash } from "node:crypto";

/**
 * The links between the lines of an audit. Each line says which one it is, and the hash of the one before; its own hash is
 * over all of its text up to there. Whoever changes, removes or moves a line breaks the links of what follows.
 */
const LINK = /^(.*,"chain":\{"n":(\d{1,15}),"prev":"([\da-f]{64})"\}),"hash":"([\da-f]{64})"\}$/s;

/** How far a chain has come. */
export interface Head {
  /** The number of its last line; 0 before the first. */
  readonly n: number;
  readonly hash: string;
}

/** Before the first line. */
export const BEGINNING: Head = { n: 0, hash: "0".repeat(64) };

export interface LinkedLine {
  readonly n: number;
  readonly prev: string;
  readonly hash: string;
  /** Is the hash that of the text? */
  readonly isIntact: boolean;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A line of JSON as the next one behind a head, and the head that it makes. */
export function linked(line: string, { n, hash: prev }: Head): { readonly text: string; readonly head: Head } {
  const text = `${line.trimEnd().slice(0, -1)},"chain":{"n":${n + 1},"prev":"${prev}"}`;
  const hash = hashOf(text);
  return { text: `${text},"hash":"${hash}"}\n`, head: { n: n + 1, hash } };
}

/** The links of a line; `undefined` for a line that has none. */
export function linksOf(line: string): LinkedLine | undefined {
  const [, text = "", n = "", prev = "", hash = ""] = LINK.exec(line) ?? [];
  return text === "" ? undefined : { n: Number.parseInt(n, 10), prev, hash, isIntact: hashOf(text) === hash };
}
