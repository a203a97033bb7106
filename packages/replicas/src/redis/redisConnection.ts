import type { Secret } from "../../../../src/datasources/errors/index.js";

/** A connection to Redis for commands and notices: replies and notices arrive in order. */
export interface Connection {
  send(command: readonly string[]): Promise<unknown>;
  subscribe(channel: string, received: (message: string) => void): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  destroy(): void;
}

interface ConnectOptions {
  readonly url: Secret;
  readonly timeoutMs: number;
  readonly channel: string;
  readonly received: (message: string) => void;
  /** Called once when an open connection ends. */
  readonly ended: (why: string) => void;
}

/** Maximum number of unanswered commands; more only occur in a failure. */
const MAX_UNANSWERED = 20_000;

export type Connect = (options: ConnectOptions) => Promise<Connection>;

/**
 * Loads the client library when it is first needed. Its `createClient` defines all commands of Redis again for each address, which
 * holds up the event loop for 30 ms.
 */
const loadClients = async () => (await import("@redis/client")).RedisClient.factory({ RESP: 3 });
let clients: ReturnType<typeof loadClients> | undefined;

/** Opens a connection of the client library. */
export const connect: Connect = async ({ url, timeoutMs, channel, received, ended }) => {
  clients ??= loadClients();
  const createClient = await clients;
  const client = createClient({
    url: url.reveal(),
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_UNANSWERED,
    maintNotifications: "disabled",
    // `Commands` has its own deadlines; the client would set a second timer for each command.
    commandOptions: { timeout: 0 },
    // The owner of the connection decides when to reconnect.
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
    // The right to unsubscribe is needed later, and a missing one should be reported now.
    await Promise.all([client.subscribe(channel, received), client.unsubscribe(channel), client.subscribe(channel, received)]);
  } catch (error) {
    destroy();
    throw error;
  }
  isOpen = true;
  return {
    send: (command) => client.sendCommand([...command]),
    subscribe: (more, received) => client.subscribe(more, received),
    unsubscribe: (former) => client.unsubscribe(former),
    destroy,
  };
};
