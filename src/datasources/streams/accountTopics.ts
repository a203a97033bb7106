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
import type { AccountMode, ExchangeAccount } from "../accounts/exchangeAccount.js";
import { Fault } from "../fault.js";
import type { AccountHoldings } from "../state/holdings.js";
import type { LoanNews } from "../valuation/pricedLoan.js";
import { accountState } from "./feeds/accountState.js";
import { fillsState } from "./feeds/fillsState.js";
import { LoansFeed } from "./feeds/loansFeed.js";
import { ordersState } from "./feeds/ordersState.js";
import { plansState } from "./feeds/plansState.js";
import { positionsState } from "./feeds/positionsState.js";
import { PrivateFeed } from "./feeds/privateFeed.js";
import type { AccountAccess, PrivateState } from "./feeds/privateState.js";
import type { Upstream } from "./feeds/upstream.js";
import { fillsOf } from "./history/recordings.js";
import type { NewHistory } from "./history/topicHistory.js";
import type { LiveKind, LiveKinds } from "./live/liveEndpoints.js";
import type { AccountStreams, MarketStreams, StateView, Unlisten } from "./streams.js";
import type { Hearing, Listener, NewHub, TopicHub } from "./topicHub.js";

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

/** The accounts' streams: a feed for each account and kind of state with listeners. */
export class AccountTopics implements AccountStreams {
  /** The keys of their topics are account names. */
  readonly hubs: ReturnType<typeof hubsOf>;
  readonly #access: AccountAccess;
  /** Accounts whose executions are kept for queries. */
  readonly #keptFills = new Set<string>();

  constructor(
    private readonly upstream: Upstream,
    newHub: NewHub,
    access: AccountAccess,
    private readonly market: Pick<MarketStreams, "ticker">,
    private readonly newHistory: NewHistory,
    /** Distinguishes accounts of the same name that are different at the exchange. */
    private readonly fingerprintOf: (account: ExchangeAccount) => string,
  ) {
    this.hubs = hubsOf(newHub);
    this.#access = { ...access, pushed: (account, channel) => this.#pushed(account, channel) };
  }

  /** Names of the accounts with an open stream. */
  get followed(): ReadonlySet<string> {
    return new Set(Object.values(this.hubs).flatMap((hub) => hub.states().map(({ key }) => key)));
  }

  /** A change that the channels of these kinds may not push: they are read before they count as proven again. */
  changedElsewhere(account: string, kinds: Iterable<LiveKind>): void {
    // Executions that only have listeners are always pushed.
    for (const kind of kinds)
      if (kind !== "fills" || this.#keptFills.has(account)) this.hubs[kind].feed(account)?.changedElsewhere();
  }

  #pushed({ name }: ExchangeAccount, channel: Channel): void {
    const implied = IMPLIED.get(channel.name) ?? [];
    const hasPositions = (this.hubs.positions.feed(name)?.current()?.value.length ?? 0) > 0;
    this.changedElsewhere(
      name,
      implied.filter((kind) => kind !== "positions" || hasPositions),
    );
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
          `fills ${account.name} ${this.fingerprintOf(account)}`,
          fillsOf(account, () => this.#access.newReads()),
        ),
    });
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
