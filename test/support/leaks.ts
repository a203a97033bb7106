import { TOKEN_PREFIX } from "../../src/access/tokens/tokenText.js";

/** A secret that was found in readable output. */
export interface Leak {
  readonly what: string;
  readonly where: string;
  /** The text before it: enough to find the place, and none of the secret. */
  readonly behind: string;
}

/** Shorter texts are in answers by chance. */
const MIN_SECRET = 7;
/** A file that makes up more credentials than this searches for the first of them, and for what is known by its shape. */
const MAX_SECRETS = 500;
const SHOWN = 60;

/** An HMAC-SHA256 in base64, as the exchange wants its signatures: 43 characters and a sign. */
const SIGNATURE = /(?<![A-Za-z0-9+/]|sha256-)[A-Za-z0-9+/]{43}$/;
/** Tokens are known by how they begin: the gateway's own, and JWTs. */
const TOKEN = new RegExp(`${TOKEN_PREFIX}[A-Za-z0-9_-]{43}|eyJ[A-Za-z0-9_-]+\\.eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+`, "g");
const SIGNATURE_LENGTH = 44;
/** A content security policy names what it allows by such a hash. */
const BEFORE_SIGNATURE = "sha256-".length;
const SHORTEST_TAIL = SIGNATURE_LENGTH + BEFORE_SIGNATURE;

/** Everything that this process knows to be secret, and where any of it was found. */
export class Leaks {
  readonly #secrets = new Map<string, string>();
  #pattern: RegExp | undefined;
  #longest = SHORTEST_TAIL;
  readonly #found = new Map<string, Leak>();

  /** Forgets all secrets: those of one test file may be plain text in the next. */
  forget(): void {
    this.#secrets.clear();
    this.#pattern = undefined;
    this.#longest = SHORTEST_TAIL;
    this.#found.clear();
  }

  /** From now on this text is searched for. */
  know(text: string, what: string): void {
    if (text.length < MIN_SECRET || this.#secrets.has(text) || this.#secrets.size >= MAX_SECRETS) return;
    this.#secrets.set(text, what);
    this.#longest = Math.max(this.#longest, text.length);
    this.#pattern = undefined;
  }

  /** Searches a whole text. */
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

  /** Searches a text that comes in pieces: what is cut in two is found too. */
  stream(where: string): (piece: string | Uint8Array) => void {
    let tail = "";
    return (piece) => {
      const text = tail + (typeof piece === "string" ? piece : Buffer.from(piece).toString("latin1"));
      this.search(text, where);
      tail = text.slice(-this.#longest);
    };
  }

  /** What was found since the last time. */
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

/** What the test file at hand has found out. */
export const leaks = new Leaks();
