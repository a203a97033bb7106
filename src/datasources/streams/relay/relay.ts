import type { Argument } from "@exchange-graph/contract/channels/channel";
import type { Clock } from "@exchange-graph/contract/clock";
import { isObject, parseJson } from "@exchange-graph/contract/json";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { type RelayStore, StoreGone } from "../../ports/relayStore.js";
import type { Connections, Topic } from "../upstream/connections.js";
import type { TopicHandle, TopicSink } from "../upstream/link.js";
import { RelayGroup, type Role } from "./relayGroup.js";

interface RelayOptions {
  readonly connections: Pick<Connections, "follow">;
  readonly store: RelayStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly accountNamed: (name: string) => ExchangeAccount | undefined;
  /** Differs for accounts of one name that are not the same at the exchange. */
  readonly fingerprintOf: (account: ExchangeAccount) => string;
  readonly report: (error: unknown) => void;
  /** Another replica has changed what these words name of an account, before the exchange pushes it. */
  readonly changedElsewhere: (account: string, words: readonly string[]) => void;
}

/**
 * The exchange's topics over several replicas: one of them follows an account's topics, or a symbol's, at the exchange and passes on
 * what is pushed; the others read that, in the order and with the gaps that the one has. What is made of it is each replica's own
 * business, so a stream looks the same at every replica.
 */
export class Relay implements Pick<Connections, "follow"> {
  readonly #groups = new Map<string, RelayGroup>();

  constructor(private readonly options: RelayOptions) {
    options.store.onChange((isUp) => {
      for (const group of [...this.#groups.values()]) isUp ? group.back() : group.gone();
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

  /** A write from here has changed what these words name of an account: other replicas hear of it at once. */
  changed(account: string, words: readonly string[]): void {
    const found = this.options.accountNamed(account);
    if (found !== undefined) this.#groups.get(this.#nameOf(found))?.changed(words);
  }

  /** How many groups this replica has a part in, by that part. */
  roles(): ReadonlyMap<Role, number> {
    const counts = new Map<Role, number>();
    for (const { role } of this.#groups.values()) counts.set(role, (counts.get(role) ?? 0) + 1);
    return counts;
  }

  /** Another replica leads from now on what was led here; whoever listens here misses nothing until the end. */
  async handOver(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.handOver()));
  }

  /** Leaves everything; what was led here is another replica's at once. */
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
        changedElsewhere: (words) => {
          if (account !== undefined) this.options.changedElsewhere(account.name, words);
        },
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

/** What a topic is about, whichever names its API version has for that. */
const symbolOf = ({ symbol, instId, instType = "" }: Argument): string => `${instType.toLowerCase()} ${symbol ?? instId ?? ""}`;

/** A topic of a group as text, whatever the order of its argument's fields. */
const writeKey = ({ socket: { apiVersion, access }, argument }: Topic): string =>
  JSON.stringify({ apiVersion, access, argument: Object.fromEntries(Object.entries(argument).sort()) });

/** Reads what another replica wants; nothing where it is no topic, or one of an account that is not known here. */
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
