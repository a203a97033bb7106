import { type Channel, itemsOf, type Push } from "@exchange-graph/contract/channels/channel";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { type ExchangeAccount, reported } from "../../calls/index.js";
import { type Fault, inClientsWords } from "../../errors/index.js";
import type { Connections } from "../upstream/connections.js";
import type { TopicHandle } from "../upstream/link.js";

/** Dependencies of feeds. */
export interface Upstream {
  readonly connections: Pick<Connections, "follow">;
  readonly instrumentation: Instrumentation;
  readonly clock: Clock;
  /** The exchange's time, Unix ms. */
  readonly exchangeNow: () => number;
  /** Between 0 and 1; jitter of retries. */
  readonly random: () => number;
}

/** Receives the decoded pushes of a channel. */
export interface ChannelSink<T> {
  /** `isWhole`: whether everything in the push could be decoded. */
  items(items: readonly T[], push: Push, source: object, isWhole: boolean): void;
  up(): void;
  down(): void;
  /** Pushes are overdue, or have all arrived; see `TopicSink`. */
  stalled(isStalled: boolean): void;
  failed(fault: Fault): void;
  /** A push, or a row of it, could not be decoded and is lost. The decoded rows have been delivered before. */
  unreadable(source: object): void;
}

/** Subscribes to a channel. Throws `RATE_LIMITED` if all connections are full. */
export function follow<P extends object, T>(
  { connections, instrumentation }: Upstream,
  channel: Channel<P, T>,
  parameters: P,
  account: ExchangeAccount | undefined,
  sink: ChannelSink<T>,
): TopicHandle {
  const { apiVersion, access } = channel;
  return connections.follow(
    { socket: { apiVersion, access }, argument: channel.argument(parameters), account },
    {
      push: (push, source) => {
        const { items, found } = itemsOf(channel, parameters, push);
        const { unread } = reported(instrumentation, channel.name, channel.item.fields, push.data, found);
        const isWhole = !unread.some(({ isOfField }) => !isOfField);
        if (items.length > 0 || isWhole) sink.items(items, push, source, isWhole);
        if (!isWhole) sink.unreadable(source);
      },
      up: () => sink.up(),
      down: () => sink.down(),
      stalled: (isStalled) => sink.stalled(isStalled),
      failed: (fault) => sink.failed(inClientsWords(fault, parameters)),
    },
  );
}
