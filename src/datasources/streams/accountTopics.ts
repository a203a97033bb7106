import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import type { Fill } from "@exchange-graph/contract/fill";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import type { Position } from "@exchange-graph/contract/position";
import type { AccountMode } from "../accounts/accountModes.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { Fault } from "../fault.js";
import type { AccountHoldings } from "../state/holdings.js";
import { accountState } from "./feeds/accountState.js";
import { fillsState } from "./feeds/fillsState.js";
import { ordersState } from "./feeds/ordersState.js";
import { plansState } from "./feeds/plansState.js";
import { positionsState } from "./feeds/positionsState.js";
import { type AccountAccess, PrivateFeed, type PrivateState } from "./feeds/privateFeed.js";
import type { Upstream } from "./feeds/upstream.js";
import type { AccountStreams, StateView, Unlisten } from "./streams.js";
import type { Listener, NewHub, TopicHub } from "./topicHub.js";

const hubsOf = (newHub: NewHub) => ({
  orders: newHub<readonly StreamedOrder[]>(),
  fills: newHub<readonly Fill[]>(),
  planOrders: newHub<readonly PlanOrder[]>(),
  accountUpdates: newHub<AccountHoldings>(),
  positions: newHub<readonly Position[]>(),
});

/** The accounts' streams: a feed for each account and kind of state that somebody listens to. */
export class AccountTopics implements AccountStreams {
  /** Their topics' keys are the accounts' names. */
  readonly hubs: ReturnType<typeof hubsOf>;

  constructor(
    private readonly upstream: Upstream,
    newHub: NewHub,
    private readonly access: AccountAccess,
  ) {
    this.hubs = hubsOf(newHub);
  }

  orders(account: ExchangeAccount, listener: Listener<readonly StreamedOrder[]>, view?: StateView): Unlisten {
    return this.#listen(this.hubs.orders, account, ordersState, listener, view);
  }

  fills(account: ExchangeAccount, listener: Listener<readonly Fill[]>): Unlisten {
    return this.#listen(this.hubs.fills, account, fillsState, listener);
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

  /** Ends the streams of an account that is there no more. */
  end({ name }: ExchangeAccount): void {
    const why = new Fault("FORBIDDEN", `${name} is no account of this gateway any more`);
    for (const hub of Object.values(this.hubs)) hub.end(name, why);
  }

  #listen<V>(
    hub: TopicHub<V>,
    account: ExchangeAccount,
    state: (account: ExchangeAccount, mode: AccountMode) => PrivateState<V>,
    listener: Listener<V>,
    { isWhole }: StateView = {},
  ): Unlisten {
    return hub.listen(account.name, () => new PrivateFeed(this.upstream, this.access, account, state), listener, isWhole);
  }
}
