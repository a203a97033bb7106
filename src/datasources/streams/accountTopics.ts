import type { Channel } from "@exchange-graph/contract/channels/channel";
import type { ExchangeAccount } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { AccountChannel, ChannelParts } from "./channels/channel.js";
import { ACCOUNT_CHANNELS, type AccountStreams, type ChannelName, type FeedOf, type StreamedBy } from "./channels/index.js";
import type { FeedUpstream } from "./feeds/channelFeed.js";
import type { AccountAccess, FeedPart } from "./feeds/privateState.js";
import type { Listener, MarketStreams, StateView, Unlisten } from "./listening.js";
import type { NewHistory, TopicName } from "./resumption/topicHistory.js";
import { type ComparedList, Rotation } from "./rotation.js";
import { type LiveKind, WHOLE } from "./state/kinds.js";
import type { ListenOptions, NewHub, TopicHub } from "./topicHub.js";
import type { TopicUsers } from "./topicUsers.js";

/** A hub for each channel. */
type Hubs = { readonly [N in ChannelName]: TopicHub<StreamedBy<N>, FeedOf<N>> };
type Channels = { readonly [N in ChannelName]: AccountChannel<StreamedBy<N>, FeedOf<N>> };

const CHANNELS: Channels = ACCOUNT_CHANNELS;
const NAMES = Object.keys(CHANNELS).filter((name): name is ChannelName => Object.hasOwn(CHANNELS, name));

const hubsOf = (newHub: NewHub): Hubs =>
  // Each hub is made for its own channel.
  Object.fromEntries(NAMES.map((name) => [name, newHub()])) as unknown as Hubs;

/** Changes that a push of a channel implies for other kinds of state, whose own channels do not push them. */
const IMPLIED = new Map(NAMES.flatMap((name) => [...(CHANNELS[name].implies ?? [])]));

/** A list of an account's state. */
export interface AccountList extends FeedPart, ComparedList {
  readonly kind: LiveKind;
}

/** The kinds whose lists are compared with the exchange. */
const LISTED: readonly LiveKind[] = ["accountUpdates", "orders", "positions", "planOrders", "fills"];

/** The accounts' streams: a feed for each account and kind of state with listeners. */
export class AccountTopics implements AccountStreams {
  /** The keys of their topics are account names. */
  readonly hubs: Hubs;
  readonly #parts: ChannelParts;
  readonly #rotation: Rotation;
  /** Accounts whose executions are kept for queries. */
  readonly #keptFills = new Set<string>();

  constructor(
    upstream: FeedUpstream,
    newHub: NewHub,
    access: AccountAccess,
    market: Pick<MarketStreams, "ticker">,
    private readonly newHistory: NewHistory,
    private readonly users: Pick<TopicUsers, "of">,
  ) {
    this.hubs = hubsOf(newHub);
    this.#rotation = new Rotation({ ...upstream, listsOf: (account) => this.listsOf(account) });
    this.#parts = {
      upstream,
      market,
      access: {
        ...access,
        pushed: (account, channel, categories) => this.#pushed(account, channel, categories),
        compared: ({ name }, lists) => this.#rotation.read(name, lists),
      },
      isKept: (account) => this.#keptFills.has(account),
    };
  }

  /** Names of the accounts with an open stream. */
  get followed(): ReadonlySet<string> {
    return new Set(Object.values(this.hubs).flatMap((hub) => hub.states().map(({ key }) => key)));
  }

  /**
   * A change that the channels of these kinds may not push, in these product categories: their lists are read before they count as
   * proven again. Default: in all categories.
   */
  changedElsewhere(account: string, kinds: Iterable<LiveKind>, categories?: readonly string[]): void {
    // Executions that only have listeners are always pushed.
    for (const kind of kinds)
      if (kind !== "fills" || this.#keptFills.has(account)) this.hubs[kind].feed(account)?.changedElsewhere(categories);
  }

  #pushed({ name }: ExchangeAccount, channel: Channel, categories: readonly string[]): void {
    if (IMPLIED.has(channel.name)) this.#rotation.traded(name);
    const open = new Set(
      this.hubs.positions
        .feed(name)
        ?.live()
        ?.map(({ categoryRaw }) => categoryRaw),
    );
    for (const kind of IMPLIED.get(channel.name) ?? [])
      this.changedElsewhere(name, [kind], kind === "positions" ? categories.filter((one) => open.has(one)) : categories);
  }

  /** Called when a query reads one of an account's lists itself. */
  missed(account: string, kinds: readonly LiveKind[]): void {
    for (const kind of kinds) this.hubs[kind].feed(account)?.hurry();
    this.#rotation.read(account, 1);
  }

  /** Confirms, by the figures that were read last, that there are no other positions in these categories. */
  confirmedByFigures(account: string, categories: readonly string[]): void {
    const positions = this.hubs.positions.feed(account);
    for (const { name, comparedAt } of this.hubs.accountUpdates.feed(account)?.parts ?? [])
      if (comparedAt !== undefined)
        positions?.confirmed(name === WHOLE ? categories : categories.filter((one) => one === name), comparedAt);
  }

  /** The lists of an account's state whose streams are open. */
  listsOf(account: string): readonly AccountList[] {
    const balances = this.hubs.accountUpdates.feed(account)?.parts ?? [];
    const funded = new Set(balances.filter(({ isOpen }) => isOpen).map(({ name }) => name));
    return LISTED.flatMap((kind) => {
      const feed = this.hubs[kind].feed(account);
      const [first, ...others] = feed?.parts ?? [];
      if (feed === undefined || first === undefined) return [];
      // One call reads the executions of a unified account in all categories.
      if (kind === "fills" && feed.mode === "UNIFIED")
        return [{ ...first, name: WHOLE, kind, compare: () => feed.compare(feed.parts.map(({ name }) => name)) }];
      return [first, ...others].map((part) => ({
        ...part,
        kind,
        // Where there are funds, an order may have been placed whose push was lost.
        isOpen: part.isOpen || (kind === "orders" && funded.has(part.name)),
        compare: () => feed.compare([part.name]),
      }));
    });
  }

  listen<N extends ChannelName>(
    name: N,
    account: ExchangeAccount,
    listener: Listener<StreamedBy<N>>,
    view: StateView = {},
  ): Unlisten {
    const channel: Channels[N] = CHANNELS[name];
    const hub: Hubs[N] = this.hubs[name];
    const { history } = channel;
    const { newReads } = this.#parts.access;
    const options: ListenOptions<StreamedBy<N>> =
      history === undefined ? view : { history: () => history(this.newHistory, this.#topicOf(name, account), account, newReads) };
    return hub.listen(account.name, () => channel.open(this.#parts, account), listener, options);
  }

  /** Named by the exchange's user, because names of accounts can change. */
  #topicOf(channel: ChannelName, account: ExchangeAccount): TopicName {
    const topicOf = (user: string) => `${channel} ${user}`;
    const user = this.users.of(account);
    return typeof user === "string" ? topicOf(user) : user.then(topicOf);
  }

  /** Listens to executions, and keeps the latest ones for queries meanwhile. */
  keepFills(account: ExchangeAccount, listener: Listener<StreamedBy<"fills">>): Unlisten {
    this.#keptFills.add(account.name);
    const leave = this.listen("fills", account, listener);
    this.changedElsewhere(account.name, ["fills"]);
    return () => {
      this.#keptFills.delete(account.name);
      leave();
    };
  }

  /**
   * Called when the account has a key of another user, or of one that is not known yet: its streams are stale until they have that
   * user's state.
   */
  reassigned({ name }: ExchangeAccount): void {
    for (const hub of Object.values(this.hubs)) hub.reassign(name);
  }

  /** Ends all streams; listeners get a reason. */
  close(): void {
    this.#rotation.close();
    for (const hub of Object.values(this.hubs)) hub.close();
  }

  /** Ends the streams of a removed account. */
  end({ name }: ExchangeAccount): void {
    const why = new Fault("FORBIDDEN", `${name} is no longer an account of this gateway`);
    for (const hub of Object.values(this.hubs)) hub.end(name, why);
  }
}
