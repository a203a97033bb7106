import { stat } from "node:fs/promises";
import type { Clock } from "@exchange-graph/contract/clock";
import { INSTRUMENTATION, type Instrumentation } from "../instrumentation/instrumentation.js";
import type { ReloadedFiles } from "./guardedFile.js";

/** Interval of checks. */
const LOOK_EVERY_MS = 1_000;

/** A person who replaces one file takes a while for the next. */
const SETTLE_MS = 30_000;

/** Files that are read together, such as a certificate and its key. */
interface Watch<T> extends ReloadedFiles<T> {
  /** Called with the new content. An error that it throws counts as a mistake in the files. */
  readonly changed: (content: T) => void;
  /**
   * Called when one of the files no longer exists, in place of keeping the former content. Returns the consequence to report, if there
   * is one. Default: a mistake like any other.
   */
  readonly gone?: () => string | undefined;
}

/** What a path's file is at a time: a text that differs for every version of it, or `GONE`. */
export type VersionOf = (path: string) => Promise<string>;

export interface WatchedFile {
  /** Checks the files, and reads them if they have changed. */
  look(): Promise<void>;
  /** Reads the files at once: what their content is checked against has changed. */
  readAgain(): void;
  close(): void;
}

/**
 * Files that are read again when they change. They are polled: file system events get lost on network drives, in containers, and
 * when a directory is replaced through a symbolic link.
 */
export class WatchedFiles {
  readonly #open = new Set<WatchedFile>();
  readonly #failing = new Map<string, readonly string[]>();

  constructor(
    private readonly clock: Clock,
    private readonly instrumentation: Instrumentation = INSTRUMENTATION,
    private readonly versionOf: VersionOf = versionOnDisk,
  ) {}

  /** Settings whose changed files are invalid, with the mistakes. */
  get failing(): ReadonlyMap<string, readonly string[]> {
    return this.#failing;
  }

  watch<T>(files: Watch<T>): WatchedFile {
    /** Versions that were read; null before the first check. */
    let seen: readonly string[] | null = null;
    let change = { to: "", at: 0 };
    /** Whether some of the files have changed, and others may be about to. */
    const isSettling = (found: readonly string[]): boolean => {
      const isInPart = seen?.some((version, place) => version === found[place]) === true;
      if (files.waitsForOthers === undefined || !isInPart) return false;
      if (files.waitsForOthers === "WHILE_INVALID" && "content" in files.read()) return false;
      if (change.to !== found.join()) change = { to: found.join(), at: this.clock.now() };
      return this.clock.now() - change.at < SETTLE_MS;
    };
    let isClosed = false;
    let cancel = (): void => undefined;
    const check = async (): Promise<void> => {
      const found = await Promise.all(files.paths.map(this.versionOf));
      const isGone = found.includes(GONE);
      const isSame = found.join() === seen?.join();
      // What could not be read is read again: the reason may have gone without a change of the file.
      if (isClosed || (isSame && (isGone || !this.#failing.has(files.setting)))) return;
      if (!isSame && !isGone && isSettling(found)) return;
      const isFirst = seen === null;
      seen = found;
      this.#take(files, isGone, isFirst);
    };
    let last = Promise.resolve();
    // One after the other: on a slow drive, an earlier check could end after a later one.
    const look = (): Promise<void> => {
      last = last.then(check, check);
      return last;
    };
    const book = (): void => {
      if (isClosed) return;
      cancel = this.clock.after(LOOK_EVERY_MS, () => {
        look()
          .catch((error: unknown) => this.#failed(files.setting, [reasonOf(error)]))
          .finally(book);
      });
    };
    book();
    const watched: WatchedFile = {
      look,
      readAgain: () => {
        if (!isClosed) this.#take(files, false, true);
      },
      close: () => {
        isClosed = true;
        cancel();
        this.#open.delete(watched);
      },
    };
    this.#open.add(watched);
    return watched;
  }

  /** Checks all files now, and reads those that have changed. Never rejects. */
  async look(): Promise<void> {
    await Promise.allSettled([...this.#open].map((watched) => watched.look()));
  }

  close(): void {
    for (const watched of this.#open) watched.close();
  }

  #take<T>({ setting, read, changed, gone }: Watch<T>, isGone: boolean, isFirst: boolean): void {
    try {
      if (isGone && gone !== undefined) {
        const consequence = gone();
        if (consequence !== undefined) {
          this.#failed(setting, [`is missing: ${consequence}`], true);
          return;
        }
      } else {
        const file = read();
        if ("mistakes" in file) {
          this.#failed(setting, file.mistakes);
          return;
        }
        changed(file.content);
      }
    } catch (error) {
      this.#failed(setting, [reasonOf(error)]);
      return;
    }
    const wasFailing = this.#failing.delete(setting);
    if (!isFirst || wasFailing) this.instrumentation.fileChange.publish({ setting });
  }

  #failed(setting: string, mistakes: readonly string[], isGone = false): void {
    const isKnown = this.#failing.get(setting)?.join("\n") === mistakes.join("\n");
    this.#failing.set(setting, mistakes);
    // The same mistakes are reported once.
    if (!isKnown) this.instrumentation.fileChange.publish({ setting, mistakes, isGone });
  }
}

/** Version of a file that does not exist. */
const GONE = "gone";

/** Rejects for a pipe: reading one would stop the process until somebody writes into it. */
async function versionOnDisk(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) throw new Error(`${path} must be a file, and is a folder, a pipe or a device`);
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return GONE;
    throw error;
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
