import type { Channel } from "@exchange-graph/contract/channels/channel";
import {
  classicFuturesOrdersChannel,
  classicSpotOrdersChannel,
  classicSpotTriggerOrdersChannel,
  orderChannel,
  type StreamedOrder,
} from "@exchange-graph/contract/channels/order";
import { classicPlanOrdersChannel } from "@exchange-graph/contract/channels/plan";
import type { Fill } from "@exchange-graph/contract/fill";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import type { Position } from "@exchange-graph/contract/position";
import type { AccountMode, ExchangeAccount } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { LoanNews } from "../reads/index.js";
import { accountState } from "./feeds/accountState.js";
import { fillsState } from "./feeds/fillsState.js";
import { LoansFeed } from "./feeds/loansFeed.js";
import { ordersState } from "./feeds/ordersState.js";
import { plansState } from "./feeds/plansState.js";
import { positionsState } from "./feeds/positionsState.js";
import { type FeedPart, PrivateFeed } from "./feeds/privateFeed.js";
import type { AccountAccess, PrivateState } from "./feeds/privateState.js";
import type { Upstream } from "./feeds/upstream.js";
import { fillsOf } from "./history/recordings.js";
import type { NewHistory, TopicName } from "./history/topicHistory.js";
import type { AccountStreams, Listener, MarketStreams, StateView, Unlisten } from "./listening.js";
import { type ComparedList, Rotation } from "./rotation.js";
import type { AccountHoldings } from "./state/holdings.js";
import type { LiveKind, LiveKinds } from "./state/kinds.js";
import { WHOLE } from "./state/parts.js";
import type { Hearing, NewHub, TopicHub } from "./topicHub.js";

const hubsOf = (newHub: NewHub) => ({
  orders: newHub<LiveKinds["orders"], PrivateFeed<LiveKinds["orders"]>>(),
  fills: newHub<readonly Fill[], PrivateFeed<readonly Fill[], LiveKinds["fills"]>>(),
  planOrders: newHub<LiveKinds["planOrders"], PrivateFeed<LiveKinds["planOrders"]>>(),
  accountUpdates: newHub<AccountHoldings, PrivateFeed<AccountHoldings>>(),
  positions: newHub<LiveKinds["positions"], PrivateFeed<LiveKinds["positions"]>>(),
  loans: newHub<LoanNews>(),
});

/** Changes that a push of a channel implies for other kinds of state, whose own channels do not push them. */
const IMPLIED: ReadonlyMap<string, readonly LiveKind[]> = new Map<string, readonly LiveKind[]>([
  // Quantities reserved by orders, and their margin.
  [orderChannel.name, ["positions", "accountUpdates"]],
  [classicFuturesOrdersChannel.name, ["positions", "accountUpdates"]],
  // Funds reserved for an order are not pushed before a fill.
  [classicSpotOrdersChannel.name, ["accountUpdates"]],
  [classicSpotTriggerOrdersChannel.name, ["accountUpdates"]],
  // Take-profits and stop-losses of whole positions.
  [classicPlanOrdersChannel.name, ["positions"]],
]);

/** A list of an account's state. */
export interface AccountList extends FeedPart, ComparedList {
  readonly kind: LiveKind;
}

/** The kinds whose lists are compared with the exchange. */
const LISTED: readonly LiveKind[] = ["accountUpdates", "orders", "positions", "planOrders", "fills"];

/** The accounts' streams: a feed for each account and kind of state with listeners. */
export class AccountTopics implements AccountStreams {
  /** The keys of their topics are account names. */
  readonly hubs: ReturnType<typeof hubsOf>;
  readonly #access: AccountAccess;
  readonly #rotation: Rotation;
  /** Accounts whose executions are kept for queries. */
  readonly #keptFills = new Set<string>();

  constructor(
    private readonly upstream: Upstream,
    newHub: NewHub,
    access: AccountAccess,
    private readonly market: Pick<MarketStreams, "ticker">,
    private readonly newHistory: NewHistory,
    /** The exchange's user of an account: events that happened under its former keys are its own. */
    private readonly userOf: (account: ExchangeAccount) => string | Promise<string>,
  ) {
    this.hubs = hubsOf(newHub);
    this.#rotation = new Rotation({
      clock: upstream.clock,
      exchangeNow: upstream.exchangeNow,
      listsOf: (account) => this.listsOf(account),
    });
    this.#access = {
      ...access,
      pushed: (account, channel, categories) => this.#pushed(account, channel, categories),
      compared: ({ name }, lists) => this.#rotation.read(name, lists),
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

  /** A query reads one of an account's lists itself. */
  missed(account: string, kinds: readonly LiveKind[]): void {
    for (const kind of kinds) this.hubs[kind].feed(account)?.hurry();
    this.#rotation.read(account, 1);
  }

  /** The figures that were read last in these categories have no other positions than the known ones. */
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

  orders(account: ExchangeAccount, listener: Listener<readonly StreamedOrder[]>, view?: StateView): Unlisten {
    return this.#listen(this.hubs.orders, account, ordersState, listener, view);
  }

  fills(account: ExchangeAccount, listener: Listener<readonly Fill[]>): Unlisten {
    const isKept = () => this.#keptFills.has(account.name);
    const state = (owner: ExchangeAccount, mode: AccountMode) => fillsState(owner, mode, isKept);
    return this.#listen(this.hubs.fills, account, state, listener, {
      history: () =>
        this.newHistory(
          this.#fillsTopicOf(account),
          fillsOf(account, () => this.#access.newReads()),
        ),
    });
  }

  /** Executions are those of the exchange's user, whatever its account is called. */
  #fillsTopicOf(account: ExchangeAccount): TopicName {
    const topicOf = (user: string) => `fills ${user}`;
    const user = this.userOf(account);
    return typeof user === "string" ? topicOf(user) : user.then(topicOf);
  }

  /** Listens to executions, and keeps the latest ones for queries meanwhile. */
  keepFills(account: ExchangeAccount, listener: Listener<readonly Fill[]>): Unlisten {
    this.#keptFills.add(account.name);
    const leave = this.fills(account, listener);
    this.changedElsewhere(account.name, ["fills"]);
    return () => {
      this.#keptFills.delete(account.name);
      leave();
    };
  }

  planOrders(account: ExchangeAccount, listener: Listener<readonly PlanOrder[]>, view?: StateView): Unlisten {
    return this.#listen(this.hubs.planOrders, account, plansState, listener, view);
  }

  accountUpdates(account: ExchangeAccount, listener: Listener<AccountHoldings>, view?: StateView): Unlisten {
    return this.#listen(this.hubs.accountUpdates, account, accountState, listener, view);
  }

  positions(account: ExchangeAccount, listener: Listener<readonly Position[]>, view?: StateView): Unlisten {
    return this.#listen(this.hubs.positions, account, positionsState, listener, view);
  }

  loans(account: ExchangeAccount, listener: Listener<LoanNews>, view: StateView = {}): Unlisten {
    const open = () => new LoansFeed(this.upstream, this.market, this.#access.newReads, account);
    return this.hubs.loans.listen(account.name, open, listener, view);
  }

  /** The account is another user's from now on: its streams are stale until they are that user's. */
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

  #listen<V, K>(
    hub: TopicHub<V, PrivateFeed<V, K>>,
    account: ExchangeAccount,
    state: (account: ExchangeAccount, mode: AccountMode) => PrivateState<V, K>,
    listener: Listener<V>,
    hearing: Hearing<V> = {},
  ): Unlisten {
    return hub.listen(account.name, () => new PrivateFeed(this.upstream, this.#access, account, state), listener, hearing);
  }
}
