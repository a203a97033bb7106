/** What the exchange allows on its sockets. */
export const SOCKET_LIMITS = {
  /** New connections from one address. */
  connects: { limit: 300, windowMs: 300_000 },
  /** Open connections from one address. */
  connections: 100,
  /** Requests to subscribe on one connection. */
  subscribes: { limit: 240, windowMs: 3_600_000 },
  /** Channels on one connection: refused beyond the first figure, advised against from the second on. */
  channels: 1_000,
  advisedChannels: 50,
  /** Messages that one connection may send, text pings included. Whoever sends more is disconnected. */
  messages: { limit: 10, windowMs: 1_000 },
  /** Size of one request to subscribe. */
  requestBytes: 4_096,
  /** A connection that sends no `ping` for this long is closed. */
  silenceMs: 120_000,
  /** How often a client should send one. */
  pingMs: 30_000,
  /** A connection is closed at this age, whatever it does. */
  lifetimeMs: 86_400_000,
  /** How long before a closing the warning comes. */
  warningMs: 60_000,
} as const;

/** The code of the warning that the connection will be closed: not a failure of anything that was asked. */
export const CLOSING_SOON = "30033";
/** The code of a private subscription on a connection that is not logged in, or no longer. */
export const LOGIN_REQUIRED = "30004";

/** Paths of the four sockets, under the exchange's WebSocket address. */
export const socketPath = (apiVersion: "v2" | "v3", access: "public" | "private"): string => `/${apiVersion}/ws/${access}`;
