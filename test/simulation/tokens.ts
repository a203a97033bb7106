import type { TokenFile } from "../../src/access/tokens/tokenFile.js";
import { digestOf, TOKEN_PREFIX } from "../../src/access/tokens/tokenText.js";
import type { GuardedFile } from "../../src/files/guardedFile.js";
import type { VersionOf } from "../../src/files/watchedFiles.js";
import { SCOPE_NAMES } from "../../src/schema/scopes.js";
import { CLIENTS, type ClientName, type EngineFault } from "./actions.js";
import type { Call } from "./line.js";
import type { VirtualTime } from "./time.js";

/** The operator, and a client that has rights on one account only: nobody revokes their tokens. */
export const OPERATOR = "token:operator";
export const STRANGER = "token:stranger";
/** The account that the stranger has rights on, who intrudes in others. */
export const STRANGERS_ACCOUNT = "main2";

/** A gateway refuses a token that its own copy of the file does not have within this time, and accepts one that it has again. */
const OWN_MS = 1_010;
/** All gateways that share a Redis refuse a token within this time after one copy has lost it. */
const SHARED_MS = 1_510;
/** A write that is in the journal by then is sent. */
const JOURNALED_MS = 500;
/** After a server has suffered, announcements may be late, and entries of the journal. */
const DISTURBED_MS = 20_000;
/** When faults are over, tokens that had been revoked are taken out of all copies and given again after these times, ms. */
const LAST_REVOKED_MS = 15_000;
const LAST_GIVEN_MS = 18_000;

type Scopes = TokenFile["tokens"][number]["scopes"];
const STRANGERS_SCOPES: Scopes = { "read:market": "*", "read:account": [STRANGERS_ACCOUNT], trade: [STRANGERS_ACCOUNT] };
const ALL_SCOPES: Scopes = Object.fromEntries(SCOPE_NAMES.map((scope) => [scope, "*"]));

/** The token of a client. */
export const tokenOf = (client: string): string => `${TOKEN_PREFIX}${client.replace("token:", "").padEnd(43, "x")}`;

const recordOf = (client: string): TokenFile["tokens"][number] => {
  const id = client.replace("token:", "");
  return {
    ...{ id, name: id, hash: digestOf(tokenOf(client)).toString("base64url"), createdAt: "2026-01-01T00:00:00.000Z" },
    scopes: client === STRANGER ? STRANGERS_SCOPES : ALL_SCOPES,
  };
};

/** A change of a copy, and the process that has to see it: it knew the copy as it was before. */
interface Change {
  readonly at: number;
  readonly place: number;
  readonly isGiven: boolean;
  readonly by: Life | undefined;
}

/** The time of a process, world time. */
interface Life {
  readonly since: number;
  until: number;
}

interface Parts {
  readonly time: VirtualTime;
  readonly replicas: number;
  /** Whether gateways share a Redis, and with it what is revoked. */
  readonly isShared: boolean;
  readonly clientOf: (call: Call) => string | undefined;
  readonly fail: (invariant: "revoked token", text: string) => void;
}

/** The gateways' copies of the file of clients, which change one after the other; judges who is accepted by them. */
export class TokenFiles {
  readonly #copies: { version: number; clients: ReadonlySet<string> }[];
  readonly #lives = new Map<number, Life>();
  readonly #changes = new Map<string, Change[]>();
  #disturbedAt = Number.NEGATIVE_INFINITY;
  #isDatabaseDisturbedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: Parts) {
    const clients = new Set([...CLIENTS, OPERATOR, STRANGER]);
    this.#copies = Array.from({ length: parts.replicas }, () => ({ version: 0, clients }));
  }

  /** What a gateway's process sees of its copy. */
  readonly versionOf =
    (place: number): VersionOf =>
    async () =>
      `${this.#copy(place).version}`;

  readonly reading = (place: number) => (): GuardedFile<TokenFile> => ({
    content: { tokens: [...this.#copy(place).clients].map(recordOf) },
  });

  /** A process has started: it has read its copy. */
  started(place: number): void {
    this.ended(place);
    this.#lives.set(place, { since: this.parts.time.now, until: Number.POSITIVE_INFINITY });
  }

  ended(place: number): void {
    const life = this.#lives.get(place);
    if (life !== undefined) life.until = Math.min(life.until, this.parts.time.now);
  }

  /** A server that gateways share suffers. */
  disturbed(fault: EngineFault, forMs: number): void {
    const until = this.parts.time.now + 2 * forMs;
    if (fault.startsWith("redis")) this.#disturbedAt = Math.max(this.#disturbedAt, until);
    else this.#isDatabaseDisturbedAt = Math.max(this.#isDatabaseDisturbedAt, until);
  }

  /** A client's token is given or revoked in one copy, and later in the others. */
  change(client: ClientName, isGiven: boolean, first: number, lagMs: number): void {
    const { time } = this.parts;
    for (const place of this.#copies.keys())
      if (place === first % this.#copies.length) this.#change(client, isGiven, place);
      else time.at("operator", time.now + lagMs, () => this.#change(client, isGiven, place));
  }

  /** Faults are over: a token that was revoked is given again. A process that has seen no change announces none. */
  calm(): void {
    const { time } = this.parts;
    const revoked = [...this.#changes.keys()] as ClientName[];
    for (const [afterMs, isGiven] of [[LAST_REVOKED_MS, false] as const, [LAST_GIVEN_MS, true] as const])
      time.at("operator", time.now + afterMs, () => {
        for (const client of revoked) this.change(client, isGiven, 0, 0);
      });
  }

  /** A gateway accepts something of a client, or emits something to it. */
  accepted(client: string, place: number, what: string): void {
    const why = this.#whyRefused(client, place);
    if (why !== undefined) this.parts.fail("revoked token", `gateway ${nameOf(place)} ${what} ${client}, ${why}`);
  }

  /** A gateway refuses a client, or ends what it listens to. */
  refused(client: string, place: number): void {
    if (this.#mustAccept(client, place))
      this.parts.fail("revoked token", `gateway ${nameOf(place)} refuses ${client}, whose token is valid`);
  }

  /** A write leaves: it was in the journal before. */
  left(call: Call): void {
    const { time, clientOf } = this.parts;
    const client = clientOf(call);
    if (!call.isWrite || client === undefined || this.#isDatabaseDisturbedAt > time.now - DISTURBED_MS) return;
    const why = this.#whyRefused(client, placeOf(call.gateway), JOURNALED_MS);
    if (why !== undefined)
      this.parts.fail("revoked token", `gateway ${call.gateway} sends ${call.endpoint} for ${client}, ${why}`);
  }

  #copy(place: number) {
    const copy = this.#copies[place];
    if (copy === undefined) throw new RangeError(`there is no gateway ${place}`);
    return copy;
  }

  #change(client: string, isGiven: boolean, place: number): void {
    const copy = this.#copy(place);
    if (copy.clients.has(client) === isGiven) return;
    copy.version++;
    const others = [...copy.clients].filter((one) => one !== client);
    copy.clients = new Set(isGiven ? [...others, client] : others);
    const change = { at: this.parts.time.now, place, isGiven, by: this.#lives.get(place) };
    this.#changes.set(client, [...(this.#changes.get(client) ?? []), change]);
  }

  /** Why a token must be refused by now; undefined if it need not. */
  #whyRefused(client: string, place: number, moreMs = 0): string | undefined {
    const { now } = this.parts.time;
    const changes = this.#changes.get(client) ?? [];
    const own = changes.findLast((change) => change.place === place);
    if (own?.isGiven === false && own.at < now - OWN_MS - moreMs) return `which its file has not had since ${own.at}`;
    const last = changes.findLast((change) => wasSeen(change));
    const life = this.#lives.get(place);
    if (last === undefined || last.isGiven || !this.#isSharing(last.at) || life === undefined) return undefined;
    if (changes.some(({ at, isGiven }) => isGiven && at > last.at - OWN_MS)) return undefined;
    if (Math.max(last.at, life.since) > now - SHARED_MS - moreMs) return undefined;
    return `which was revoked at gateway ${nameOf(last.place)} at ${last.at}`;
  }

  #mustAccept(client: string, place: number): boolean {
    const { now } = this.parts.time;
    const changes = this.#changes.get(client) ?? [];
    if (changes.length === 0) return true;
    if (!this.parts.isShared)
      return changes.findLast((change) => change.place === place)?.isGiven !== false && this.#isLong(changes, place);
    const last = changes.at(-1);
    const given = changes.findLast((change) => change.isGiven && wasSeen(change));
    if (last === undefined || given === undefined || this.#copies.some(({ clients }) => !clients.has(client))) return false;
    const isLast = changes.every(({ at, isGiven }) => isGiven || at < given.at - OWN_MS);
    return isLast && last.at < now - SHARED_MS && this.#isSharing(changes[0]?.at ?? now);
  }

  /** Whether a copy has been as it is for so long that its process has seen it. */
  #isLong(changes: readonly Change[], place: number): boolean {
    return (changes.findLast((change) => change.place === place)?.at ?? 0) < this.parts.time.now - OWN_MS;
  }

  /** Whether Redis has carried what was announced since then. */
  #isSharing(since: number): boolean {
    return this.parts.isShared && this.#disturbedAt < since - DISTURBED_MS;
  }
}

/** Whether a process has lived long enough with a change of its copy to announce it. */
const wasSeen = ({ at, by }: Change): boolean => by !== undefined && by.since < at && by.until > at + OWN_MS;

const nameOf = (place: number): string => String.fromCharCode(97 + place);
export const placeOf = (gateway: string): number => gateway.charCodeAt(0) - 97;
