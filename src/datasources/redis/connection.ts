import type { Secret } from "../secret.js";

/** A connection to the engine, which carries commands and what is published at once: replies and notices come in their order. */
export interface Connection {
  send(command: readonly string[]): Promise<unknown>;
  /** Hears what is published on a channel more. */
  subscribe(channel: string, heard: (message: string) => void): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  destroy(): void;
}

interface ConnectOptions {
  readonly url: Secret;
  readonly timeoutMs: number;
  /** Hears what is published, by channel. */
  readonly channel: string;
  readonly heard: (message: string) => void;
  /** Called once when an open connection ends. */
  readonly ended: (why: string) => void;
}

/** More commands than wait for an answer at any time that is not a fault. */
const MAX_UNANSWERED = 20_000;

/** Opens a connection. The client is a package of its own, and loaded when it is first needed. */
export async function connect({ url, timeoutMs, channel, heard, ended }: ConnectOptions): Promise<Connection> {
  const { createClient } = await import("@redis/client");
  const client = createClient({
    url: url.reveal(),
    RESP: 3,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_UNANSWERED,
    maintNotifications: "disabled",
    // Whoever asks has a deadline, and a timer for it: the client's own would be a second one for each command.
    commandOptions: { timeout: 0 },
    // Whoever opened it decides when to try again.
    socket: { reconnectStrategy: false, connectTimeout: timeoutMs },
  });
  let isOpen = false;
  const end = (why: string): void => {
    if (!isOpen) return;
    isOpen = false;
    ended(why);
  };
  client.on("error", (error: unknown) => end(error instanceof Error ? error.message : String(error)));
  client.on("end", () => end("the connection was closed"));
  const destroy = (): void => {
    isOpen = false;
    if (client.isOpen) client.destroy();
  };
  try {
    await client.connect();
    await client.subscribe(channel, heard);
  } catch (error) {
    destroy();
    throw error;
  }
  isOpen = true;
  return {
    send: (command) => client.sendCommand([...command]),
    subscribe: (more, hears) => client.subscribe(more, hears),
    unsubscribe: (former) => client.unsubscribe(former),
    destroy,
  };
}
