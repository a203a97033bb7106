import type { TokenFile } from "../../src/access/tokens/tokenFile.js";
import { digestOf, TOKEN_PREFIX } from "../../src/access/tokens/tokenText.js";
import type { GuardedFile } from "../../src/files/guardedFile.js";
import type { VersionOf } from "../../src/files/watchedFiles.js";
import { isAccountBound, SCOPE_NAMES, type Scope } from "../../src/schema/scopes.js";
import { ACCOUNTS, type AccountName, type AccountRights, CLIENTS, type ClientName, type EngineFault } from "./actions.js";
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

/** Rights on accounts that are not all, by client and account. */
type Limited = ReadonlyMap<string, AccountRights>;
const keyOf = (client: string, account: string): string => `${client} ${account}`;

function scopesOf(client: string, limited: Limited): Scopes {
  if (client === STRANGER) return STRANGERS_SCOPES;
  const rights = (account: AccountName) => limited.get(keyOf(client, account)) ?? "all";
  if (ACCOUNTS.every((account) => rights(account) === "all")) return ALL_SCOPES;
  const has = (account: AccountName, scope: Scope) =>
    rights(account) === "all" || (rights(account) === "read" && scope === "read:account");
  return Object.fromEntries(
    SCOPE_NAMES.map((scope) => [scope, isAccountBound(scope) ? ACCOUNTS.filter((account) => has(account, scope)) : "*"]),
  );
}

const recordOf = (client: string, limited: Limited): TokenFile["tokens"][number] => {
  const id = client.replace("token:", "");
  return {
    ...{ id, name: id, hash: digestOf(tokenOf(client)).toString("base64url"), createdAt: "2026-01-01T00:00:00.000Z" },
    scopes: scopesOf(client, limited),
  };
};

/** A change of a copy, and the process that has to see it: it knew the copy as it was before. */
interface Change {
  readonly at: number;
  readonly place: number;
  readonly isGiven: boolean;
  readonly by: Life | undefined;
}

/** A change of a client's rights on an account in a copy. */
interface RightsChange {
  readonly at: number;
  readonly place: number;
  readonly rights: AccountRights;
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
  /** The account that was configured with a key; undefined for an unknown key. */
  readonly accountWith: (key: string) => string | undefined;
  readonly fail: (invariant: "revoked token" | "own account", text: string) => void;
}

/** The gateways' copies of the file of clients, which change one after the other; judges who is accepted by them, and with which rights. */
export class TokenFiles {
  readonly #copies: { version: number; clients: ReadonlySet<string>; limited: Limited }[];
  readonly #lives = new Map<number, Life>();
  readonly #changes = new Map<string, Change[]>();
  /** By client and account. */
  readonly #rightsChanges = new Map<string, RightsChange[]>();
  #disturbedAt = Number.NEGATIVE_INFINITY;
  #isDatabaseDisturbedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: Parts) {
    const clients = new Set([...CLIENTS, OPERATOR, STRANGER]);
    this.#copies = Array.from({ length: parts.replicas }, () => ({ version: 0, clients, limited: new Map() }));
  }

  /** What a gateway's process sees of its copy. */
  readonly versionOf =
    (place: number): VersionOf =>
    async () =>
      `${this.#copy(place).version}`;

  readonly reading = (place: number) => (): GuardedFile<TokenFile> => ({
    content: { tokens: [...this.#copy(place).clients].map((client) => recordOf(client, this.#copy(place).limited)) },
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
    this.#inEach(first, lagMs, (place) => this.#change(client, isGiven, place));
  }

  /** The same for a client's rights on an account. Gateways tell each other nothing about them. */
  limit(client: ClientName, account: AccountName, rights: AccountRights, first: number, lagMs: number): void {
    this.#inEach(first, lagMs, (place) => this.#limit(keyOf(client, account), rights, place));
  }

  #inEach(first: number, lagMs: number, change: (place: number) => void): void {
    const { time } = this.parts;
    for (const place of this.#copies.keys())
      if (place === first % this.#copies.length) change(place);
      else time.at("operator", time.now + lagMs, () => change(place));
  }

  /** Faults are over: a token that was revoked is given again. A process that has seen no change announces none. */
  calm(): void {
    const { time } = this.parts;
    const revoked = [...this.#changes.keys()] as ClientName[];
    for (const [afterMs, isGiven] of [[LAST_REVOKED_MS, false] as const, [LAST_GIVEN_MS, true] as const])
      time.at("operator", time.now + afterMs, () => {
        for (const client of revoked) this.change(client, isGiven, 0, 0);
      });
    time.at("operator", time.now + LAST_GIVEN_MS, () => {
      for (const key of this.#rightsChanges.keys()) this.#inEach(0, 0, (place) => this.#limit(key, "all", place));
    });
  }

  /** Whether a gateway must have learned that a client may not do this with an account. */
  mustForbid(client: string, account: string, doing: "read" | "trade", place: number, moreMs = 0): boolean {
    const last = this.#rightsChanges.get(keyOf(client, account))?.findLast((change) => change.place === place);
    if (last === undefined || last.at >= this.parts.time.now - OWN_MS - moreMs) return false;
    return last.rights === "none" || (last.rights === "read" && doing === "trade");
  }

  /** Whether an account may not exist for a client at a gateway. */
  mayBeHidden(client: string, account: string, place: number): boolean {
    const last = this.#rightsChanges.get(keyOf(client, account))?.findLast((change) => change.place === place);
    return last !== undefined && (last.rights === "none" || last.at >= this.parts.time.now - OWN_MS);
  }

  /** A gateway emits an event about an account, or tells something of it. */
  told(client: string, account: string, place: number, what: string): void {
    if (this.mustForbid(client, account, "read", place))
      this.parts.fail("own account", `gateway ${nameOf(place)} ${what} ${client}, who has no rights on ${account}`);
  }

  /** A gateway refuses a client that asked since a time for its rights on an account. */
  forbidden(client: string, account: string, doing: "read" | "trade", place: number, since: number): void {
    const own = [...this.#rightsChanges].flatMap(([key, changes]) =>
      key.startsWith(`${client} `) ? changes.filter((change) => change.place === place) : [],
    );
    const rights = this.#copy(place).limited.get(keyOf(client, account)) ?? "all";
    const isAllowed = rights === "all" || (rights === "read" && doing === "read");
    // Whatever waits for a client is refused once any of its rights have changed.
    if (isAllowed && own.every(({ at }) => at < since - OWN_MS))
      this.parts.fail("own account", `gateway ${nameOf(place)} refuses ${client}, who may ${doing} ${account}`);
  }

  /** A gateway ends what a client listens to, for changed rights. */
  endedForRights(client: string, place: number): void {
    const isChanged = [...this.#rightsChanges].some(
      ([key, changes]) => key.startsWith(`${client} `) && changes.some((change) => change.place === place),
    );
    if (!isChanged)
      this.parts.fail("own account", `gateway ${nameOf(place)} ends a subscription of ${client}, whose rights are the same`);
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
    const place = placeOf(call.gateway);
    const why = this.#whyRefused(client, place, JOURNALED_MS);
    if (why !== undefined)
      this.parts.fail("revoked token", `gateway ${call.gateway} sends ${call.endpoint} for ${client}, ${why}`);
    const account = this.parts.accountWith(call.key ?? "");
    if (account !== undefined && this.mustForbid(client, account, "trade", place, JOURNALED_MS))
      this.parts.fail(
        "own account",
        `gateway ${call.gateway} sends ${call.endpoint} for ${client}, who may not trade ${account}`,
      );
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

  #limit(key: string, rights: AccountRights, place: number): void {
    const copy = this.#copy(place);
    if ((copy.limited.get(key) ?? "all") === rights) return;
    copy.version++;
    copy.limited = new Map([...copy.limited, [key, rights]]);
    const change = { at: this.parts.time.now, place, rights };
    this.#rightsChanges.set(key, [...(this.#rightsChanges.get(key) ?? []), change]);
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

export const nameOf = (place: number): string => String.fromCharCode(97 + place);
export const placeOf = (gateway: string): number => gateway.charCodeAt(0) - 97;
