import type { FileObserver } from "../../files/watchedFiles.js";
import type { Logger } from "./log.js";

/** Logs what becomes of settings that change while the gateway runs. No line shows what a file holds. */
export class FileLog implements FileObserver {
  constructor(private readonly log: Logger) {}

  reloaded(setting: string): void {
    this.log.info({ setting }, "a file has changed and was read again");
  }

  failed(setting: string, mistakes: readonly string[]): void {
    this.log.error({ setting, mistakes }, "a file has changed and cannot be used: what it said before still holds");
  }
}
