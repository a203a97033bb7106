import type { FuturesMarket } from "@exchange-graph/contract/channels/arguments";
import type { Channel } from "@exchange-graph/contract/channels/channel";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { State } from "../../world/state.js";
import type { WorldEvent } from "../../world/worldEvents.js";
import type { MarketSource, TopicFeed } from "./topicFeed.js";

/** The events of an account, pushed one by one. */
export class Happenings implements MarketSource {
  /** `render` gives what is pushed of an event; nothing where it is none of this channel's. */
  constructor(private readonly render: (event: WorldEvent) => unknown) {}

  opening(): undefined {
    return undefined;
  }

  advance(): undefined {
    return undefined;
  }

  notice(event: WorldEvent): string | undefined {
    const row = this.render(event);
    return row === undefined ? undefined : JSON.stringify([row]);
  }
}

/** A v3 channel of an account, which covers all products. */
export const unifiedFeed = (channel: Channel, follow: (uid: string) => MarketSource): TopicFeed => ({
  channel,
  subject(argument) {
    const parameters = channel.parameters(argument);
    return parameters && { channel, argument: channel.argument(parameters), periodMs: undefined, follow };
  },
});

/** Scope of a v2 subscription: one symbol, one coin, or all of a product. */
export type FeedScope = (name: string) => boolean;

type AccountScope = Readonly<{ uid: string; covers: FeedScope }>;

const EVERYTHING = "default";
const SCOPES = ["instId", "coin"] as const;

/** A v2 channel of an account, about a category that `categoryOf` finds in its parameters. */
const classicFeed = <P extends object>(
  { catalogue }: State,
  channel: Channel<P>,
  categoryOf: (parameters: P) => ProductCategory,
  follow: (scope: AccountScope, parameters: P) => MarketSource,
): TopicFeed => ({
  channel,
  subject(argument) {
    const scope = SCOPES.find((name) => argument[name] !== undefined);
    const parameters = scope && channel.parameters({ ...argument, [scope]: EVERYTHING });
    if (scope === undefined || parameters === undefined) return undefined;
    const only = argument[scope] ?? EVERYTHING;
    const isKnown =
      scope === "coin" ? catalogue.coins.includes(only) : catalogue.find(categoryOf(parameters), only)?.symbol === only;
    if (only !== EVERYTHING && !isKnown) return undefined;
    return {
      channel,
      argument: { ...channel.argument(parameters), [scope]: only },
      periodMs: undefined,
      follow: (uid) => follow({ uid, covers: (name) => only === EVERYTHING || name === only }, parameters),
    };
  },
});

/** The feed of a v2 private channel about spot. */
export const classicSpotFeed = (state: State, channel: Channel, follow: (scope: AccountScope) => MarketSource): TopicFeed =>
  classicFeed(state, channel, () => "SPOT", follow);

/** The feed of a v2 private channel about one futures product type. */
export const classicFuturesFeed = (
  state: State,
  channel: Channel<FuturesMarket>,
  follow: (scope: AccountScope & { readonly category: FuturesCategory }) => MarketSource,
): TopicFeed =>
  classicFeed(
    state,
    channel,
    ({ category }) => category,
    (scope, { category }) => follow({ ...scope, category }),
  );

/** A v2 channel about all of an account's futures of a category. */
export const classicFuturesWholeFeed = (
  channel: Channel<FuturesMarket>,
  follow: (uid: string, category: FuturesCategory) => MarketSource,
): TopicFeed => ({
  channel,
  subject(argument) {
    const parameters = channel.parameters(argument);
    return (
      parameters && {
        channel,
        argument: channel.argument(parameters),
        periodMs: undefined,
        follow: (uid) => follow(uid, parameters.category),
      }
    );
  },
});
