import type { KeyObserver, KeyRefusal } from "../../datasources/accounts/keyChecks.js";
import type { Logger } from "./log.js";

/** Logs whose keys the exchange refuses. */
export class KeyLog implements KeyObserver {
  constructor(private readonly log: Logger) {}

  keyRefused({ account, code, reason }: KeyRefusal): void {
    this.log.error({ account, code, reason }, "the exchange refuses the key of an account");
  }

  keyTaken(account: string): void {
    this.log.info({ account }, "the exchange takes the key of an account again");
  }
}
