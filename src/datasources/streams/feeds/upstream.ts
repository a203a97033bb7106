import type { Clock } from "../../../clock.js";
import { type Channel, itemsOf, type Push } from "../../../contract/channels/channel.js";
import { WireError } from "../../../contract/codec.js";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import type { Fault } from "../../fault.js";
import type { ConnectionObserver, Connections } from "../upstream/connections.js";
import type { TopicHandle } from "../upstream/link.js";

/** What feeds need to reach the exchange. */
export interface Upstream {
  readonly connections: Pick<Connections, "follow">;
  readonly observer: Pick<ConnectionObserver, "unreadable">;
  readonly clock: Clock;
  /** The exchange's time, Unix ms. */
  readonly exchangeNow: () => number;
  /** Between 0 and 1; spreads repeated tries. */
  readonly random: () => number;
}

/** Whoever follows a channel: what comes, already read. */
export interface ChannelSink<T> {
  items(items: readonly T[], push: Push, source: object): void;
  up(): void;
  down(): void;
  failed(fault: Fault): void;
  /** A push could not be read: what it said is lost. */
  unreadable(source: object): void;
}

/** Follows a channel. Throws `RATE_LIMITED` when every connection is full. */
export function follow<P extends object, T>(
  { connections, observer }: Upstream,
  channel: Channel<P, T>,
  parameters: P,
  account: ExchangeAccount | undefined,
  sink: ChannelSink<T>,
): TopicHandle {
  const { generation, access } = channel;
  return connections.follow(
    { socket: { generation, access }, argument: channel.argument(parameters), account },
    {
      push: (push, source) => {
        const items = read(() => itemsOf(channel, parameters, push));
        if (items instanceof WireError) {
          observer.unreadable(channel.name, items);
          sink.unreadable(source);
        } else sink.items(items, push, source);
      },
      up: () => sink.up(),
      down: () => sink.down(),
      failed: (fault) => sink.failed(fault),
    },
  );
}

function read<T>(decode: () => readonly T[]): readonly T[] | WireError {
  try {
    return decode();
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}
