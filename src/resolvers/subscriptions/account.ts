import { Args, Ctx, ID, Resolver, Root, Subscription } from "type-graphql";
import type { NextPoint } from "../../datasources/history/index.js";
import { type ExchangeAccount, Fault } from "../../datasources/index.js";
import { streamedBalances } from "../../datasources/reads/index.js";
import {
  ACCOUNT_CHANNELS,
  type Listener,
  markedHoldings,
  markedPositions,
  type StateView,
  type StreamEvent,
  type StreamedBy,
  type Streams,
  type SubjectEvent,
  type Unlisten,
} from "../../datasources/streams/index.js";
import { AccountUpdate } from "../../schema/accountUpdate.js";
import { listOf, text, texts } from "../../schema/fields.js";
import { EquityEvent } from "../../schema/history.js";
import { EVENT_ROWS } from "../../schema/listLengths.js";
import { LoanOrder } from "../../schema/loan.js";
import { Fill, Order } from "../../schema/order.js";
import { PlanOrder } from "../../schema/planOrder.js";
import { Position } from "../../schema/position.js";
import { Arguments, extended, fieldsOf, RecordType } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { AccountEvent as AccountEventType } from "../../schema/streamStatus.js";
import { allOwnedBy, rowsWithAccount } from "../accountScoped.js";
import type { RequestContext } from "../context.js";
import { globalIdOf } from "../nodes/nodeTypes.js";
import { followEquity, gapOf, pointOf } from "../recordedCurves.js";
import { begin, MAX_SUBJECTS, pace, streamedByAccount } from "./streamed.js";

@Arguments()
class AccountArguments extends fieldsOf({
  account: text.optional("Name of the account in this gateway. Default: the first account"),
  accounts: texts.optional(
    `Names of several accounts, in place of \`account\`: at most ${MAX_SUBJECTS}. Each event is about one of them`,
  ),
}) {}

@Arguments()
class EveryEvent extends extended(AccountArguments, { pace: pace("ALL") }) {}

@Arguments()
class NewestState extends extended(AccountArguments, { pace: pace("LATEST") }) {}

type AccountEvent<T> = StreamEvent<SubjectEvent<ExchangeAccount, T>>;

/** Starts an event: what all events about an account have, and the value of this one, an error once the account's stream has ended. */
function beginOf<T>(context: RequestContext, event: AccountEvent<T>) {
  const { stream, value } = begin(context, event);
  return { about: { stream, account: value.subject }, value: value.value };
}

/** The rows of an event with their account. */
const rowsOf = <T extends object>(account: ExchangeAccount, value: readonly T[] | Fault) =>
  value instanceof Fault ? value : allOwnedBy(account, value);

/** Identifiers; a promise while the user of their account is not known. */
type Ids = readonly string[] | Promise<readonly string[]>;

/** An event as it is resolved. */
type Ending<E> = Omit<E, "gone"> & { readonly gone: Ids };

function idsOf({ exchange }: RequestContext, type: string, records: readonly object[]): Ids {
  const ids = records.map((record) => globalIdOf(exchange, type, record));
  const isReady = (all: typeof ids): all is string[] => all.every((id) => typeof id === "string");
  return isReady(ids) ? ids : Promise.all(ids);
}

/** Identifiers of the objects that have ended by an update. */
function goneOf<T extends object>(
  context: RequestContext,
  type: string,
  { kind, value: { subject, value } }: AccountEvent<readonly T[]>,
  isGone: (row: T) => boolean,
): Ids {
  if (kind === "snapshot" || value instanceof Fault) return [];
  return idsOf(context, type, allOwnedBy(subject, value.filter(isGone)));
}

/** Listens to a channel of an account. */
const stateOf =
  <N extends keyof typeof ACCOUNT_CHANNELS>(channel: N) =>
  ({ accounts }: Streams, account: ExchangeAccount, listener: Listener<StreamedBy<N>>, view: StateView): Unlisten =>
    accounts.listen(channel, account, listener, view);

/** The rows of an event. Null once the stream of their account has ended. */
const rows = <G extends object>(type: G, what: string) =>
  listOf(type, EVENT_ROWS).orError(
    `${what}. Null, with the reason in \`errors\`, once the stream of this account alone has ended`,
  );
const gone = (what: string) =>
  listOf(
    ID,
    EVENT_ROWS,
  )(`Identifiers (\`id\`) of ${what} since the last event. Empty in a snapshot, which lists everything that exists`);

@RecordType("An event of an account's orders")
class OrdersEvent extends extended(AccountEventType, {
  orders: rows(Order, "A snapshot has the open orders, an update those that have changed, with their last state"),
  gone: gone("orders that are no longer open"),
}) {}

@RecordType("An event of an account's trigger orders")
class PlanOrdersEvent extends extended(AccountEventType, {
  planOrders: rows(
    PlanOrder,
    "A snapshot has those that wait for their trigger, an update those that have changed, with their last state",
  ),
  gone: gone("trigger orders that have ended"),
}) {}

@RecordType("An event of an account's positions")
class PositionsEvent extends extended(AccountEventType, {
  positions: rows(
    Position,
    "A snapshot has the open positions, an update those that have changed; a closed one has a `qty` of 0",
  ),
  gone: gone("positions that are closed"),
}) {}

@RecordType("An event of an account's executions")
class FillsEvent extends extended(AccountEventType, { fills: rows(Fill, "Executions, each once") }) {}

@RecordType("An event of an account's running loans")
class LoansEvent extends extended(AccountEventType, {
  loans: rows(LoanOrder, "A snapshot has the running loans, an update those that have changed or whose prices have"),
  gone: gone("loans that have ended"),
}) {}

@Resolver()
export class AccountSubscriptions {
  @RequiresScope("read:account", "account")
  @Subscription(() => OrdersEvent, {
    description:
      "Orders of an account, or of several: the open ones first, then every order that changes; with LATEST the open ones each time. After an interruption, missed changes are read and sent. Source: the order streams, and that of trigger orders for Classic spot",
    subscribe: streamedByAccount<EveryEvent, StreamedBy<"orders">>(stateOf("orders")),
  })
  orders(
    @Ctx() context: RequestContext,
    @Root() event: AccountEvent<StreamedBy<"orders">>,
    @Args(() => EveryEvent) _args: EveryEvent,
  ): Ending<OrdersEvent> {
    const { about, value } = beginOf(context, event);
    const gone = goneOf(context, "Order", event, ACCOUNT_CHANNELS.orders.hasEnded);
    return { ...about, orders: rowsOf(about.account, value), gone };
  }

  @RequiresScope("read:account", "account")
  @Subscription(() => FillsEvent, {
    description: "Executions of orders of an account, or of several, each sent once. Source: the fill streams",
    subscribe: streamedByAccount<EveryEvent, StreamedBy<"fills">>(stateOf("fills"), { hasHistory: true }),
  })
  fills(
    @Ctx() context: RequestContext,
    @Root() event: AccountEvent<StreamedBy<"fills">>,
    @Args(() => EveryEvent) _args: EveryEvent,
  ): FillsEvent {
    const { about, value } = beginOf(context, event);
    return { ...about, fills: rowsOf(about.account, value) };
  }

  @RequiresScope("read:account", "account")
  @Subscription(() => PlanOrdersEvent, {
    description:
      "Trigger orders of an account, or of several: the open ones first, then every one that is placed, changes or ends; with LATEST the open ones each time. Source: the streams of trigger orders",
    subscribe: streamedByAccount<EveryEvent, StreamedBy<"planOrders">>(stateOf("planOrders")),
  })
  planOrders(
    @Ctx() context: RequestContext,
    @Root() event: AccountEvent<StreamedBy<"planOrders">>,
    @Args(() => EveryEvent) _args: EveryEvent,
  ): Ending<PlanOrdersEvent> {
    const { about, value } = beginOf(context, event);
    const gone = goneOf(context, "PlanOrder", event, ACCOUNT_CHANNELS.planOrders.hasEnded);
    return { ...about, planOrders: rowsOf(about.account, value), gone };
  }

  @RequiresScope("read:account", "account")
  @Subscription(() => AccountUpdate, {
    description:
      "Balances of an account, or of several: all of them with each event; with ALL all of them first, then those that change. As prices change, equities and dependent figures are computed until the exchange sends its own. Source: the account streams, and the ticker streams of its coins and positions",
    subscribe: streamedByAccount<NewestState, StreamedBy<"accountUpdates">>(markedHoldings),
  })
  accountUpdates(
    @Ctx() context: RequestContext,
    @Root() event: AccountEvent<StreamedBy<"accountUpdates">>,
    @Args(() => NewestState) _args: NewestState,
  ): AccountUpdate {
    const { about, value } = beginOf(context, event);
    if (value instanceof Fault) return { ...about, balances: value, unifiedAssets: null, futuresAccounts: [] };
    const { unified, spot, futures } = value;
    const balances = [...rowsWithAccount(about.account, streamedBalances({ unified, spot }))];
    return { ...about, balances, unifiedAssets: unified, futuresAccounts: futures };
  }

  @RequiresScope("read:account", "account")
  @Subscription(() => PositionsEvent, {
    description:
      "Positions of an account, or of several: the open ones first, then every one that changes; a closed one is sent once more, with a `qty` of 0. With LATEST the open ones each time. As prices change, `markPrice`, `unrealisedPnl`, `notional`, `profitRate`, `liquidationPrice`, `distanceToLiquidation`, `maintenanceMarginRate`, `marginRatio` and the `margin` of cross positions are computed as for the query, until the exchange sends its own. Source: the position streams, and the ticker streams of their symbols and coins",
    subscribe: streamedByAccount<EveryEvent, StreamedBy<"positions">>(markedPositions),
  })
  positions(
    @Ctx() context: RequestContext,
    @Root() event: AccountEvent<StreamedBy<"positions">>,
    @Args(() => EveryEvent) _args: EveryEvent,
  ): Ending<PositionsEvent> {
    const { about, value } = beginOf(context, event);
    const gone = goneOf(context, "Position", event, ACCOUNT_CHANNELS.positions.hasEnded);
    return { ...about, positions: rowsOf(about.account, value), gone };
  }

  @RequiresScope("read:account", "account")
  @Subscription(() => LoansEvent, {
    description:
      "Running loans of an account, or of several: all of them first, then those that change or whose prices do; with LATEST all of them each time. `currentLtv`, `distanceToMarginCall` and `distanceToLiquidation` use live prices. Source: the ticker streams of the coins' spot pairs with USDT, and every 5 s GET /api/v2/earn/loan/ongoing-orders",
    subscribe: streamedByAccount<NewestState, StreamedBy<"loans">>(stateOf("loans")),
  })
  loans(
    @Ctx() context: RequestContext,
    @Root() event: AccountEvent<StreamedBy<"loans">>,
    @Args(() => NewestState) _args: NewestState,
  ): Ending<LoansEvent> {
    const { about, value } = beginOf(context, event);
    if (value instanceof Fault) return { ...about, loans: value, gone: [] };
    const gone = idsOf(context, "LoanOrder", allOwnedBy(about.account, value.over));
    return { ...about, loans: allOwnedBy(about.account, value.loans), gone };
  }

  @RequiresScope("read:account", "account")
  @Subscription(() => EquityEvent, {
    description:
      "What an account is worth, or several: the last recorded interval first, then each one that follows, so that it continues `equityHistory`. Within five seconds after it was recorded. Source: the gateway's own record of proven live state",
    subscribe: streamedByAccount<EveryEvent, NextPoint>((_streams, account, listener, _view, context) =>
      followEquity(context, account, listener),
    ),
  })
  equity(
    @Ctx() context: RequestContext,
    @Root() event: AccountEvent<NextPoint>,
    @Args(() => EveryEvent) _args: EveryEvent,
  ): EquityEvent {
    const { about, value } = beginOf(context, event);
    const { point, gap } = value instanceof Fault ? {} : value;
    return { ...about, point: point === undefined ? null : pointOf(point), gap: gap === undefined ? null : gapOf(gap) };
  }
}
