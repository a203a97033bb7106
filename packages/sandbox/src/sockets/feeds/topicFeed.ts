import type { Market as MarketArguments } from "@exchange-graph/contract/channels/arguments";
import type { Argument, Channel } from "@exchange-graph/contract/channels/channel";
import type { Market } from "../../world/market/market.js";
import type { Markets } from "../../world/market/markets.js";
import type { WorldEvent } from "../../world/worldEvents.js";

/**
 * The data of a topic, from its first listener on. All `data` is the text of a JSON list.
 *
 * A source has a state. `opening` returns it, `advance` moves it to the present and returns the changes: a listener that has got
 * the snapshot and every change knows the state.
 */
export interface MarketSource {
  /** The snapshot for a new listener, if the channel has one. */
  opening?(): string;
  /** The changes since the last push; undefined if there are none. */
  advance?(): string | undefined;
  /** An event of the world; returns data that is pushed at once. */
  notice?(event: WorldEvent): string | undefined;
}

/** A source that pushes its whole state each time it has changed. */
export class Picture implements MarketSource {
  #version: bigint;
  #shown: { readonly text: string; readonly content: string };

  /** What is rendered can only have changed if `version` has; it is pushed if its `content` has. */
  constructor(
    private readonly version: () => bigint,
    private readonly render: () => { readonly text: string; readonly content: string },
  ) {
    this.#version = version();
    this.#shown = render();
  }

  opening(): string {
    return this.#shown.text;
  }

  advance(): string | undefined {
    const version = this.version();
    if (version === this.#version) return undefined;
    this.#version = version;
    const before = this.#shown;
    this.#shown = this.render();
    return this.#shown.content === before.content ? undefined : this.#shown.text;
  }
}

/** The existing subject of a subscription. */
export interface Subject {
  readonly channel: Channel;
  /** The argument as repeated in pushes. */
  readonly argument: Argument;
  /** Interval at which the source is advanced, in ms; undefined: after the events that it notices. */
  readonly periodMs: number | undefined;
  /** Creates its source; `uid` is the user of the account, on private channels. */
  follow(uid: string): MarketSource;
}

export interface TopicFeed {
  readonly channel: Channel;
  /** The subject of an argument; undefined if it does not exist. */
  subject(argument: Argument): Subject | undefined;
}

/** A public channel about one symbol. */
export const marketFeed = <P extends MarketArguments>(
  markets: Markets,
  channel: Channel<P>,
  follow: (market: Market, parameters: P) => MarketSource,
  periodOf: (market: Market) => number = (market) => usualPeriod(channel, market) || markets.periodMs,
): TopicFeed => ({
  channel,
  subject(argument) {
    const parameters = channel.parameters(argument);
    const market = parameters && markets.find(parameters.category, parameters.symbol);
    // Letter case matters in names here, unlike in calls.
    if (parameters === undefined || market?.listing.instrument.symbol !== parameters.symbol) return undefined;
    return {
      channel,
      argument: channel.argument(parameters),
      periodMs: periodOf(market),
      follow: () => follow(market, parameters),
    };
  },
});

/** The documented interval; channels that push with every event push with every movement of the market. */
const usualPeriod = ({ frequency }: Channel, { listing }: Market): number =>
  listing.instrument.category === "SPOT" ? frequency.spot : frequency.futures;

/** A channel that its parameters name completely. Without `periodMs` it is advanced after the events that it notices. */
export const wholeFeed = <P extends object>(
  channel: Channel<P>,
  follow: (uid: string, parameters: P) => MarketSource,
  periodMs?: number,
): TopicFeed => ({
  channel,
  subject(argument) {
    const parameters = channel.parameters(argument);
    if (parameters === undefined) return undefined;
    return { channel, argument: channel.argument(parameters), periodMs, follow: (uid) => follow(uid, parameters) };
  },
});
