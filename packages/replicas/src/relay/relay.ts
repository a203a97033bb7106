import type { Argument } from "@exchange-graph/contract/channels/channel";
import type { Clock } from "@exchange-graph/contract/clock";
import { isObject, parseJson } from "@exchange-graph/contract/json";
import type { ExchangeAccount } from "../../../../src/datasources/calls/accounts/exchangeAccount.js";
import type { Connections, Topic } from "../../../../src/datasources/streams/upstream/connections.js";
import type { TopicHandle, TopicSink } from "../../../../src/datasources/streams/upstream/link.js";
import { RelayGroup, type Role } from "./relayGroup.js";
import { type RelayStore, StoreGone } from "./relayStore.js";

interface RelayOptions {
  readonly connections: Pick<Connections, "follow">;
  readonly store: RelayStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly accountNamed: (name: string) => ExchangeAccount | undefined;
  /** Distinguishes accounts of the same name that are different at the exchange. */
  readonly fingerprintOf: (account: ExchangeAccount) => string;
  readonly report: (error: unknown) => void;
  /** Called when another replica has changed what these words name of an account, before the exchange pushes it. */
  readonly changedElsewhere: (account: string, words: readonly string[]) => void;
}

/**
 * Shares the exchange's topics among replicas: one replica subscribes to the topics of an account or symbol and publishes the
 * pushes; the others read them, with the same order and gaps. Each replica builds its own state from them, so a stream looks the
 * same on every replica.
 */
export class Relay implements Pick<Connections, "follow"> {
  readonly #groups = new Map<string, RelayGroup>();

  constructor(private readonly options: RelayOptions) {
    options.store.onChange((isUp) => {
      for (const group of [...this.#groups.values()]) isUp ? group.back() : group.gone();
    });
    options.store.hearGroup(CHANGES, (notice) => {
      const [, replica, words = "", ...name] = notice.split(" ");
      if (replica !== options.store.replica) options.changedElsewhere(name.join(" "), words.split(","));
    });
  }

  follow(topic: Topic, sink: TopicSink): TopicHandle {
    const group = this.#groupOf(topic);
    const key = writeKey(topic);
    const relayed = group.listen(key, topic, sink);
    let isOpen = true;
    return {
      renew: (source) => relayed.renew(source),
      close: () => {
        if (isOpen) group.left(key);
        isOpen = false;
      },
    };
  }

  /** Announces that a write of this replica has changed what these words name of an account. */
  changed(account: string, words: readonly string[]): void {
    const { store } = this.options;
    store.notify(CHANGES, `changed ${store.replica} ${words.join(",")} ${account}`);
  }

  /** Number of groups by this replica's role in them. */
  roles(): ReadonlyMap<Role, number> {
    const counts = new Map<Role, number>();
    for (const { role } of this.#groups.values()) counts.set(role, (counts.get(role) ?? 0) + 1);
    return counts;
  }

  /** Hands the groups that this replica leads over to others; its own listeners miss nothing until the end. */
  async handOver(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.handOver()));
  }

  /** Leaves all groups; other replicas can lead them at once. */
  async close(): Promise<void> {
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    await Promise.all(groups.map((group) => group.close()));
  }

  #nameOf(account: ExchangeAccount): string {
    return `account ${account.name} ${this.options.fingerprintOf(account)}`;
  }

  #groupOf({ socket, argument, account }: Topic): RelayGroup {
    const name = account === undefined ? `${socket.apiVersion} ${symbolOf(argument)}` : this.#nameOf(account);
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group: RelayGroup = new RelayGroup(
      {
        ...this.options,
        report: (error) => {
          if (!(error instanceof StoreGone)) this.options.report(error);
        },
        topicOf: (key) => readKey(key, account?.name, this.options.accountNamed),
        onEmpty: () => {
          if (this.#groups.get(name) === group) this.#groups.delete(name);
        },
      },
      name,
    );
    this.#groups.set(name, group);
    return group;
  }
}

/**
 * Where changes of all accounts are announced, by their names: whether or not a replica follows the account, and whichever of its
 * keys a replica has while they are replaced.
 */
const CHANGES = "changes";

/** The symbol of a topic, by the parameter names of either API version. */
const symbolOf = ({ symbol, instId, instType = "" }: Argument): string => `${instType.toLowerCase()} ${symbol ?? instId ?? ""}`;

/** A topic's key within its group, independent of the order of its argument's fields. */
const writeKey = ({ socket: { apiVersion, access }, argument }: Topic): string =>
  JSON.stringify({ apiVersion, access, argument: Object.fromEntries(Object.entries(argument).sort()) });

/** Parses a topic's key; undefined if it is invalid, or names an unknown account. */
function readKey(key: string, name: string | undefined, accountNamed: RelayOptions["accountNamed"]): Topic | undefined {
  const wire = parseJson(key);
  if (!isObject(wire) || !isObject(wire.argument)) return undefined;
  const { apiVersion, access } = wire;
  if ((apiVersion !== "v2" && apiVersion !== "v3") || (access !== "public" && access !== "private")) return undefined;
  const texts = Object.entries(wire.argument).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const account = name === undefined ? undefined : accountNamed(name);
  if (access === "private" && account === undefined) return undefined;
  return { socket: { apiVersion, access }, argument: Object.fromEntries(texts), account };
}
