import type { Market as MarketArguments } from "@exchange-graph/contract/channels/arguments";
import type { Argument, Channel } from "@exchange-graph/contract/channels/channel";
import type { WorldEvent } from "../../world/events.js";
import type { Market } from "../../world/market/market.js";
import type { Markets } from "../../world/market/markets.js";
import { TICK_MS } from "../../world/market/path.js";

/**
 * What a topic shows, from the moment on when somebody first listens. All `data` is the text of a JSON list.
 *
 * A source has a state. `opening` shows it, `advance` moves it to the present and says what has changed on the way: who
 * has read the opening and every change since knows the state.
 */
export interface Source {
  /** The state, for somebody who begins to listen; nothing where the channel opens with nothing. */
  opening(): string | undefined;
  /** What has changed since the last push; nothing when nothing has. */
  advance(): string | undefined;
  /** Something has happened in the world: what is to be pushed at once. */
  notice?(event: WorldEvent): string | undefined;
}

/** What a subscription is about, known to exist. */
export interface Subject {
  readonly channel: Channel;
  /** The argument as pushes repeat it, however it was spelt. */
  readonly argument: Argument;
  /** How often the source is to be advanced, in ms; nothing: after the events that it notices. */
  readonly periodMs: number | undefined;
  /** Begins to follow it; `uid` is whose account it is about, on private channels. */
  follow(uid: string): Source;
}

/** A channel as the sandbox serves it. */
export interface Feed {
  readonly channel: Channel;
  /** What an argument asks of this channel; nothing when it names what does not exist. */
  subject(argument: Argument): Subject | undefined;
}

/** A public channel about one symbol. */
export const marketFeed = <P extends MarketArguments>(
  markets: Markets,
  channel: Channel<P>,
  follow: (market: Market, parameters: P) => Source,
  periodOf: (market: Market) => number = (market) => usualPeriod(channel, market),
): Feed => ({
  channel,
  subject(argument) {
    const parameters = channel.parameters(argument);
    const market = parameters && markets.find(parameters.category, parameters.symbol);
    // Names count letter by letter here, unlike in calls.
    if (parameters === undefined || market?.listing.instrument.symbol !== parameters.symbol) return undefined;
    return {
      channel,
      argument: channel.argument(parameters),
      periodMs: periodOf(market),
      follow: () => follow(market, parameters),
    };
  },
});

/** The documented frequency; what comes with every event comes with every tick of the market. */
const usualPeriod = ({ frequency }: Channel, { listing }: Market): number =>
  (listing.instrument.category === "SPOT" ? frequency.spot : frequency.futures) || TICK_MS;
