import { Args, ArgsType, Ctx, Field, Resolver, Root, Subscription } from "type-graphql";
import type { Row } from "../../datasources/index.js";
import { streamedBalances } from "../../datasources/queries/balances.js";
import type { AccountHoldings, StateView, StreamEvent } from "../../datasources/streams/index.js";
import { markedPositions } from "../../datasources/streams/live/markedPositions.js";
import { AccountUpdate } from "../../schema/accountUpdate.js";
import type { Balance } from "../../schema/balance.js";
import { Cost } from "../../schema/cost.js";
import { Fill } from "../../schema/fill.js";
import { EVENT_ROWS } from "../../schema/listLengths.js";
import { Order } from "../../schema/order.js";
import { PaceInput } from "../../schema/pace.js";
import { PlanOrder } from "../../schema/planOrder.js";
import { Position } from "../../schema/position.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { type AccountScoped, allOwnedBy, rowsWithAccount } from "../accountScoped.js";
import type { RequestContext } from "../context.js";
import { accountNamed, begin, paceOptions, streamed } from "./streamed.js";

@ArgsType()
class AccountArguments {
  @Field(() => String, { nullable: true, description: "Name of the account in this gateway. Default: the first account" })
  readonly account?: string | null;
}

@ArgsType()
class EveryEvent extends AccountArguments {
  @Field(() => PaceInput, paceOptions("ALL"))
  readonly pace!: PaceInput;
}

@ArgsType()
class NewestState extends AccountArguments {
  @Field(() => PaceInput, paceOptions("LATEST"))
  readonly pace!: PaceInput;
}

/** Events that replace others have to stand by themselves. */
const viewAt = ({ mode }: PaceInput): StateView => ({ isWhole: mode === "LATEST" });

type Rows<T> = readonly AccountScoped<Omit<T, "account">>[];

@Resolver()
export class AccountSubscriptions {
  @RequiresScope("read:account", "account")
  @Cost({ rows: EVENT_ROWS })
  @Subscription(() => [Order], {
    description:
      "Orders of an account: the open ones first, then every order that changes; with LATEST the open ones each time. After an interruption, what changed meanwhile is read and sent. Source: the order streams, and that of trigger orders for Classic spot",
    subscribe: streamed((streams, { account, pace }: EveryEvent, context, listener) =>
      streams.accounts.orders(accountNamed(context, account), listener, viewAt(pace)),
    ),
  })
  orders(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Omit<Order, "account">[]>,
    @Args(() => EveryEvent) { account }: EveryEvent,
  ): Rows<Order> {
    return allOwnedBy(accountNamed(context, account), begin(context, event));
  }

  @RequiresScope("read:account", "account")
  @Cost({ rows: EVENT_ROWS })
  @Subscription(() => [Fill], {
    description: "Executions of an account's orders, each once. Source: the fill streams",
    subscribe: streamed((streams, { account }: EveryEvent, context, listener) =>
      streams.accounts.fills(accountNamed(context, account), listener),
    ),
  })
  fills(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Omit<Fill, "account">[]>,
    @Args(() => EveryEvent) { account }: EveryEvent,
  ): Rows<Fill> {
    return allOwnedBy(accountNamed(context, account), begin(context, event));
  }

  @RequiresScope("read:account", "account")
  @Cost({ rows: EVENT_ROWS })
  @Subscription(() => [PlanOrder], {
    description:
      "Trigger orders of an account: those that wait first, then every one that is placed, changes or ends; with LATEST those that wait, each time. Source: the streams of trigger orders",
    subscribe: streamed((streams, { account, pace }: EveryEvent, context, listener) =>
      streams.accounts.planOrders(accountNamed(context, account), listener, viewAt(pace)),
    ),
  })
  planOrders(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Omit<PlanOrder, "account">[]>,
    @Args(() => EveryEvent) { account }: EveryEvent,
  ): Rows<PlanOrder> {
    return allOwnedBy(accountNamed(context, account), begin(context, event));
  }

  @RequiresScope("read:account", "account")
  @Subscription(() => AccountUpdate, {
    description:
      "Balances of an account: all of them with each event; with ALL first all of them, then those that change. Source: the account streams",
    subscribe: streamed((streams, { account, pace }: NewestState, context, listener) =>
      streams.accounts.accountUpdates(accountNamed(context, account), listener, viewAt(pace)),
    ),
  })
  accountUpdates(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<AccountHoldings>,
    @Args(() => NewestState) { account }: NewestState,
  ): Omit<AccountUpdate, "account" | "balances"> & {
    readonly account: object;
    readonly balances: readonly Row<AccountScoped<Omit<Balance, "account">>>[];
  } {
    const { unified, spot, futures } = begin(context, event);
    const owner = accountNamed(context, account);
    return {
      account: owner,
      balances: rowsWithAccount(owner, streamedBalances({ unified, spot })),
      unifiedAssets: unified,
      futuresAccounts: futures,
    };
  }

  @RequiresScope("read:account", "account")
  @Cost({ rows: EVENT_ROWS })
  @Subscription(() => [Position], {
    description:
      "Positions of an account: the open ones first, then every one that changes; one that is closed comes once more, with a `qty` of 0. With LATEST the open ones each time. As the mark price moves, `markPrice`, `unrealisedPnl`, `notional`, `profitRate`, `distanceToLiquidation` and the `margin` of cross positions are computed from it until the exchange sends its own. Source: the position streams, and the ticker streams of their symbols",
    subscribe: streamed((streams, { account, pace }: EveryEvent, context, listener) =>
      markedPositions(streams, accountNamed(context, account), listener, viewAt(pace)),
    ),
  })
  positions(
    @Ctx() context: RequestContext,
    @Root() event: StreamEvent<readonly Omit<Position, "account">[]>,
    @Args(() => EveryEvent) { account }: EveryEvent,
  ): Rows<Position> {
    return allOwnedBy(accountNamed(context, account), begin(context, event));
  }
}
