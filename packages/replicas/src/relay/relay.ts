import type { Argument } from "@exchange-graph/contract/channels/channel";
import { isObject, parseJson } from "@exchange-graph/contract/json";
import type { ExchangeAccount } from "../../../../src/datasources/calls/index.js";
import { StoreUnreachable } from "../../../../src/datasources/errors/index.js";
import type {
  Role,
  SharedTopics,
  ShareTopics,
  SharingParts,
  Topic,
  TopicHandle,
  TopicSink,
} from "../../../../src/datasources/streams/index.js";
import { RelayGroup } from "./relayGroup.js";
import type { RelayStore } from "./relayStore.js";

interface RelayOptions extends SharingParts {
  readonly store: RelayStore;
}

/** Shares topics through a store. */
export const sharingOver =
  (store: RelayStore): ShareTopics =>
  (parts) =>
    new Relay({ ...parts, store });

/**
 * Shares the exchange's topics among replicas: one replica subscribes to the topics of an account or symbol and publishes the
 * pushes; the others read them, with the same order and gaps. Each replica builds its own state from them, so a stream looks the
 * same on every replica.
 */
export class Relay implements SharedTopics {
  readonly #groups = new Map<string, RelayGroup>();

  constructor(private readonly options: RelayOptions) {
    options.store.onChange((isUp) => {
      for (const group of [...this.#groups.values()]) isUp ? group.back() : group.gone();
      if (isUp) options.returned();
    });
    options.store.listenToGroup(CHANGES, (notice) => {
      const [, replica, names = "", ...name] = notice.split(" ");
      if (replica !== options.store.replica) options.changedElsewhere(name.join(" "), names.split(","));
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

  get isConfirmed(): boolean {
    return this.options.store.isConfirmed;
  }

  changed(account: string, names: readonly string[]): void {
    const { store } = this.options;
    store.notify(CHANGES, `changed ${store.replica} ${names.join(",")} ${account}`);
  }

  leave({ name }: ExchangeAccount): void {
    for (const [key, group] of [...this.#groups]) {
      if (group.account !== name) continue;
      this.#groups.delete(key);
      void group.close();
    }
  }

  roles(): ReadonlyMap<Role, number> {
    const counts = new Map<Role, number>();
    for (const { role } of this.#groups.values()) counts.set(role, (counts.get(role) ?? 0) + 1);
    return counts;
  }

  async handOver(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.handOver()));
  }

  async close(): Promise<void> {
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    await Promise.all(groups.map((group) => group.close()));
  }

  #groupOf({ socket, argument, account }: Topic): RelayGroup {
    const name =
      account === undefined
        ? `${socket.apiVersion} ${symbolOf(argument)}`
        : `account ${account.name} ${this.options.fingerprintOf(account)}`;
    const existing = this.#groups.get(name);
    if (existing !== undefined) return existing;
    const group: RelayGroup = new RelayGroup(
      {
        ...this.options,
        report: (error) => {
          if (!(error instanceof StoreUnreachable)) this.options.report(error);
        },
        topicOf: (key) => readKey(key, account?.name, this.options.accountNamed),
        onEmpty: () => {
          if (this.#groups.get(name) === group) this.#groups.delete(name);
        },
      },
      name,
      account?.name,
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
