import { stat } from "node:fs/promises";
import type { Clock } from "../../clock.js";
import type { GuardedFile } from "../../guardedFile.js";

/** How soon a change is noticed. */
const LOOK_EVERY_MS = 1_000;

interface FileReader<T> {
  readonly read: (path: string) => GuardedFile<T>;
  /** The file says something else than before; `undefined` once there is none any more. */
  readonly changed: (content: T | undefined) => void;
  /** The file has changed and cannot be read: what it said before still holds. */
  readonly failed: (mistakes: readonly string[]) => void;
}

/**
 * A file that is read anew whenever it changes. It is looked at, not listened to: notices of the file system get lost on
 * network drives and in containers.
 */
export class WatchedFile<T> {
  /** Null before the first look. */
  #seen: string | undefined | null = null;
  #isClosed = false;
  #cancel: () => void;

  constructor(
    private readonly path: string,
    private readonly reader: FileReader<T>,
    private readonly clock: Clock,
  ) {
    this.#cancel = this.#book();
  }

  /** Looks at the file, and reads it if it is not the one that was read last. */
  async look(): Promise<void> {
    const seen = await fingerprintOf(this.path);
    if (seen === this.#seen || this.#isClosed) return;
    const read = seen === undefined ? { content: undefined } : this.reader.read(this.path);
    this.#seen = seen;
    if ("content" in read) this.reader.changed(read.content);
    else this.reader.failed(read.mistakes);
  }

  /** Nothing is told any more. */
  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #book(): () => void {
    return this.clock.after(LOOK_EVERY_MS, () => {
      this.#cancel = this.#book();
      this.look().catch((error: unknown) => this.reader.failed([String(error)]));
    });
  }
}

/** Different for every version of the file; `undefined` where there is none. */
async function fingerprintOf(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
