import { TOKEN_PREFIX } from "../../src/access/tokens/tokenText.js";

/** A secret that was found in readable output. */
export interface Leak {
  readonly what: string;
  readonly where: string;
  /** The text before the secret, to locate it; contains nothing of the secret. */
  readonly behind: string;
}

/** Shorter texts occur in responses by chance. */
const MIN_SECRET = 7;
/** If a test file creates more credentials than this, only the first ones, and texts with a secret's shape, are searched for. */
const MAX_SECRETS = 500;
const SHOWN = 60;

/** An HMAC-SHA256 in base64, the format of the exchange's signatures: 43 characters and a padding sign. */
const SIGNATURE = /(?<![A-Za-z0-9+/]|sha256-)[A-Za-z0-9+/]{43}$/;
/** The gateway's tokens and JWTs are recognized by their prefixes. */
const TOKEN = new RegExp(`${TOKEN_PREFIX}[A-Za-z0-9_-]{43}|eyJ[A-Za-z0-9_-]+\\.eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+`, "g");
const SIGNATURE_LENGTH = 44;
/** A content security policy lists allowed scripts by such a hash. */
const BEFORE_SIGNATURE = "sha256-".length;
const SHORTEST_TAIL = SIGNATURE_LENGTH + BEFORE_SIGNATURE;

/** All secrets known in this process, and the places where any of them was found. */
export class Leaks {
  readonly #secrets = new Map<string, string>();
  #pattern: RegExp | undefined;
  #longest = SHORTEST_TAIL;
  readonly #found = new Map<string, Leak>();

  /** Forgets all secrets: a secret of one test file may be plain text in the next. */
  forget(): void {
    this.#secrets.clear();
    this.#pattern = undefined;
    this.#longest = SHORTEST_TAIL;
    this.#found.clear();
  }

  /** Adds a text to search for. */
  know(text: string, what: string): void {
    if (text.length < MIN_SECRET || this.#secrets.has(text) || this.#secrets.size >= MAX_SECRETS) return;
    this.#secrets.set(text, what);
    this.#longest = Math.max(this.#longest, text.length);
    this.#pattern = undefined;
  }

  /** Searches a complete text. */
  search(text: string, where: string): void {
    if (this.#secrets.size > 0) {
      this.#pattern ??= new RegExp([...this.#secrets.keys()].map(escaped).join("|"), "g");
      for (const { 0: secret, index } of text.matchAll(this.#pattern))
        this.#find(this.#secrets.get(secret) ?? secret, where, text, index);
    }
    if (text.includes(TOKEN_PREFIX) || text.includes("eyJ"))
      for (const { index } of text.matchAll(TOKEN)) this.#find("a token", where, text, index);
    for (let at = text.indexOf("="); at >= 0; at = text.indexOf("=", at + 1)) {
      const before = text.slice(Math.max(0, at - SIGNATURE_LENGTH - BEFORE_SIGNATURE), at);
      if (SIGNATURE.test(before) && text[at + 1] !== "=") this.#find("a signature", where, text, at - SIGNATURE_LENGTH + 1);
    }
  }

  /** Searches a text that arrives in chunks; a secret split between two chunks is found too. */
  stream(where: string): (piece: string | Uint8Array) => void {
    let tail = "";
    return (piece) => {
      const text = tail + (typeof piece === "string" ? piece : Buffer.from(piece).toString("latin1"));
      this.search(text, where);
      tail = text.slice(-this.#longest);
    };
  }

  /** The findings since the last call. */
  take(): readonly Leak[] {
    const found = [...this.#found.values()];
    this.#found.clear();
    return found;
  }

  #find(what: string, where: string, text: string, index: number): void {
    const before = text.slice(Math.max(0, index - SHOWN), index);
    const behind = this.#pattern === undefined ? before : before.replace(this.#pattern, "[secret]");
    this.#found.set(`${what} ${where}`, { what, where, behind });
  }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** The secrets and findings of the current test file. */
export const leaks = new Leaks();
