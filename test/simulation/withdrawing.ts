import { exact, plain } from "@exchange-graph/contract/decimal";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { AllowedAddress } from "../../src/datasources/writes/index.js";
import { BROKER, SUB_ACCOUNTS, UIDS } from "./accounts.js";
import { DESTINATIONS, type WithdrawalTerms } from "./actions.js";
import type { Invariant } from "./auditor.js";
import type { Call } from "./line.js";
import type { Payload } from "./operations.js";
import type { VirtualTime } from "./time.js";

/** What was stored this long ago is known to every gateway that has read it since, ms. */
const READ_MS = 4;

const [COLD, WARM, OWN] = DESTINATIONS;

/** Gives the broker sub-accounts with coins. */
export function openSubAccounts({ world: { state }, services: { broker, wallets } }: SandboxInMemory): void {
  const now = state.now();
  const told = { permissions: ["read", "withdraw"], language: "en_US", createdTime: now, updatedTime: now };
  for (const uid of SUB_ACCOUNTS) {
    state.accounts.open({ uid, parentUid: UIDS[BROKER], mode: "classic", createdTime: now });
    const names = { name: `${uid}@broker.example`, email: `${uid}@desk.example`, label: `desk ${uid}` };
    broker.subAccounts.enter(UIDS[BROKER], { ...told, ...names, uid, status: "normal" });
    for (const coin of ["USDT", "TRX"]) wallets.deposit(uid, coin, exact("1000000"));
  }
}

/** What is known of a withdrawal that was asked for. */
interface Asked {
  readonly terms: WithdrawalTerms;
  readonly content: string;
  /** World times of the questions, and of the call that first carried its name. */
  readonly requestedAt: number[];
  sentAt: number | undefined;
  /** Questions that have no answer. */
  open: number;
  isAccepted: boolean;
  /** Whether its outcome is UNKNOWN by the last answer that has one. */
  isUnknown: boolean;
  /** Whether nothing was sent, by the answer to the last question. */
  isRejected: boolean;
}

interface Parts {
  readonly time: VirtualTime;
  readonly exchange: SandboxInMemory;
  /** Fails with `halt` if the call left during a halt of the user. */
  readonly refuseHalted: (uid: string, call: Call, what: string) => void;
  readonly fail: (invariant: Invariant, text: string) => void;
}

/** Judges withdrawals by the sandbox's ledger: one for each key, to allowed addresses, and none during a halt. */
export class Withdrawals {
  readonly #asked = new Map<string, Asked>();
  #isAllowed = true;
  #forbiddenSince: number | undefined;

  constructor(private readonly parts: Parts) {}

  /** The addresses that are allowed now. */
  get rule(): readonly AllowedAddress[] {
    const allowed = this.#isAllowed ? [COLD, WARM, OWN] : [COLD, OWN];
    return allowed.map(({ address, dest }) => ({
      address,
      dest: dest === "ON_CHAIN" ? "on_chain" : "internal_transfer",
      account: BROKER,
    }));
  }

  allow(isAllowed: boolean): void {
    this.#isAllowed = isAllowed;
    if (isAllowed) this.#forbiddenSince = undefined;
    else this.#forbiddenSince ??= this.parts.time.now;
  }

  /** The input of the mutation. */
  inputOf({ key, isNamed, subAccount, to: { dest, address }, coin, amount }: WithdrawalTerms): Readonly<Record<string, unknown>> {
    return {
      ...(isNamed ? { clientOid: nameOf(key) } : { idempotencyKey: nameOf(key) }),
      ...{ account: BROKER, subUid: SUB_ACCOUNTS[subAccount % SUB_ACCOUNTS.length], coin, dest, address, amount },
    };
  }

  asked(terms: WithdrawalTerms): void {
    const name = nameOf(terms.key);
    const asked: Asked = this.#asked.get(name) ?? {
      ...{
        terms,
        content: contentOf(terms),
        requestedAt: [],
        sentAt: undefined,
        open: 0,
        isAccepted: false,
        isUnknown: false,
        isRejected: false,
      },
    };
    asked.requestedAt.push(this.parts.time.now);
    asked.open++;
    asked.isRejected = false;
    this.#asked.set(name, asked);
  }

  /** `outcome`: undefined if the question has failed, as if nothing was sent. */
  answered({ key }: WithdrawalTerms, outcome: Payload["outcome"] | undefined): void {
    const asked = this.#asked.get(nameOf(key));
    if (asked === undefined) return;
    asked.open--;
    if (outcome === "ACCEPTED") asked.isAccepted = true;
    // A gateway that has sent nothing, because former writes are still being settled, does not speak for the other.
    if (outcome !== undefined) asked.isUnknown = outcome === "UNKNOWN";
    const isCertain = outcome === "REJECTED" || (outcome === undefined && !asked.isUnknown);
    // While another question is open, that one may still send it.
    asked.isRejected = isCertain && asked.open === 0 && !asked.isAccepted;
    const isKnown = asked.sentAt !== undefined && asked.sentAt < this.parts.time.now - READ_MS;
    if (outcome === "REJECTED" && isKnown && this.#effects(asked) > 0 && this.#alike(asked.content).length === 1)
      this.parts.fail("rejected has no effect", `the withdrawal ${nameOf(key)} was REJECTED, and the exchange has it`);
    this.#check(asked.content);
  }

  left(call: Call): void {
    if (call.endpoint !== "subAccountWithdrawal") return;
    const { refuseHalted, fail } = this.parts;
    const { address, clientOid } = call.body;
    const what = `a withdrawal of ${call.body.amount} ${call.body.coin} to ${address}`;
    refuseHalted(UIDS[BROKER], call, what);
    const known = DESTINATIONS.find((one) => one.address === address);
    if (known === undefined || known.address === "TQ4thief") fail("allowed address", `${what} left, which was never allowed`);
    const content = contentIn(call.body);
    // Whose call it is shows by the client's identifier, or by the content if no other has that.
    const own = this.#asked.get(`${clientOid}`);
    const alike = this.#alike(content);
    const asked = own ?? (alike.length === 1 ? alike[0] : undefined);
    if (asked === undefined) return;
    if (
      known === WARM &&
      this.#forbiddenSince !== undefined &&
      asked.requestedAt.every((at) => at > (this.#forbiddenSince ?? at))
    )
      fail("allowed address", `${what} left, and was asked for after its address was removed`);
    if (asked.sentAt !== undefined) fail("sent once", `${what} was sent at ${asked.sentAt} and again`);
    asked.sentAt = call.leftAt;
  }

  /** Checks everything. */
  check(): void {
    for (const content of new Set([...this.#asked.values()].map((asked) => asked.content))) this.#check(content);
  }

  /** Whether the outcome of a write with this key must be known at the end: nothing else can account for its record. */
  mustSettle(key: string): boolean {
    const asked = this.#asked.get(key);
    return asked !== undefined && this.#alike(asked.content).length === 1;
  }

  /** Number of effects. */
  get effects(): number {
    return this.parts.exchange.services.broker.withdrawals.of(UIDS[BROKER]).length;
  }

  #alike(content: string): readonly Asked[] {
    return [...this.#asked.values()].filter((one) => one.content === content);
  }

  #records(content: string) {
    const { broker } = this.parts.exchange.services;
    return broker.withdrawals
      .of(UIDS[BROKER])
      .filter(({ uid, coin, address, amount }) => `${uid} ${coin} ${address} ${plain(amount)}` === content);
  }

  /** Of its key if the exchange knows that, otherwise of its content. */
  #effects({ terms: { isNamed, key }, content }: Asked): number {
    return this.#records(content).filter(({ clientOid }) => !isNamed || clientOid === nameOf(key)).length;
  }

  #check(content: string): void {
    const alike = this.#alike(content);
    const count = this.#records(content).length;
    const least = alike.filter(({ isAccepted }) => isAccepted).length;
    const most = alike.filter(({ isRejected }) => !isRejected).length;
    if (count < least)
      this.parts.fail("accepted has an effect", `${least} withdrawals (${content}) were ACCEPTED, and the exchange has ${count}`);
    if (count > alike.length)
      this.parts.fail(
        "one effect per key",
        `${alike.length} keys have withdrawn ${content}, and the exchange did it ${count} times`,
      );
    else if (count > most)
      this.parts.fail(
        "rejected has no effect",
        `${most} withdrawals (${content}) were not REJECTED, and the exchange has ${count}`,
      );
  }
}

const nameOf = (key: number): string => `w${key}`;

const contentOf = ({ subAccount, coin, to: { address }, amount }: WithdrawalTerms): string =>
  `${SUB_ACCOUNTS[subAccount % SUB_ACCOUNTS.length]} ${coin} ${address} ${plain(exact(amount))}`;

const contentIn = ({ subUid, coin, address, amount }: Call["body"]): string =>
  `${subUid} ${coin} ${address} ${plain(exact(`${amount}`))}`;
