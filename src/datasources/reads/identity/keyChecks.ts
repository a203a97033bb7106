import type { Clock } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { errorRow } from "@exchange-graph/contract/errors";
import type { KeyRefusal } from "../../../instrumentation/events.js";
import { INSTRUMENTATION, type Instrumentation } from "../../../instrumentation/instrumentation.js";
import type { Accounts, Credentials, ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { AccountModes } from "./accountModes.js";

/** Minimum time between checks of a refused key. */
const RETRY_MS = 10_000;

interface Check {
  readonly refusal: KeyRefusal | undefined;
  readonly at: number;
}

/** Tracks which keys the exchange refuses: from the outcomes of signed calls, and by a check if there were none. */
export class KeyChecks {
  readonly #checks = new Map<string, Check>();

  constructor(
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly instrumentation: Instrumentation = INSTRUMENTATION,
  ) {
    accounts.onChange(({ changed, removed }) => {
      for (const { name } of [...changed, ...removed]) this.#checks.delete(name);
    });
  }

  get refused(): readonly KeyRefusal[] {
    return this.accounts.all.flatMap(({ name }) => this.#checks.get(name)?.refusal ?? []);
  }

  /** Records the outcome of a signed call of this account; `fault` is its error, if any. */
  saw(account: ExchangeAccount, signedBy: Credentials, endpoint: Endpoint, fault: unknown): void {
    // An outcome with a former key says nothing about the current one.
    if (this.accounts.find(account.name) !== account || account.credentials !== signedBy) return;
    const refusal = fault === undefined ? undefined : refusalIn(account, endpoint, fault);
    // An error without an answer of the exchange says nothing about a key; any other answer shows that it was accepted.
    if (refusal === undefined && fault !== undefined && !(fault instanceof Fault && fault.extensions.exchange !== undefined))
      return;
    const before = this.#checks.get(account.name)?.refusal;
    this.#checks.set(account.name, { refusal, at: this.clock.now() });
    if (refusal !== undefined && before === undefined) this.instrumentation.keyRefused.publish(refusal);
    if (refusal === undefined && before !== undefined) this.instrumentation.keyAccepted.publish(account.name);
  }

  /** Checks every key of unknown state, and keys that were refused some time ago. Never rejects. */
  async check(modes: AccountModes): Promise<void> {
    const due = this.accounts.all.filter(({ name }) => {
      const existing = this.#checks.get(name);
      return existing === undefined || (existing.refusal !== undefined && this.clock.now() - existing.at >= RETRY_MS);
    });
    await Promise.allSettled(due.map((account) => modes.of(account)));
  }
}

function refusalIn({ name: account }: ExchangeAccount, { apiVersion }: Endpoint, fault: unknown): KeyRefusal | undefined {
  const answer = fault instanceof Fault ? fault.extensions.exchange : undefined;
  const row = answer && errorRow(apiVersion, answer.code);
  const isAboutKey = row?.category === "environment" || (row?.category === "auth" && row.retry === "never");
  return answer !== undefined && isAboutKey ? { account, code: answer.code, reason: answer.msg } : undefined;
}
