/** Limits of the exchange's sockets. */
export const SOCKET_LIMITS = {
  /** New connections from one address. */
  connects: { limit: 300, windowMs: 300_000 },
  /** Open connections from one address. */
  connections: 100,
  /** Requests to subscribe on one connection. */
  subscribes: { limit: 240, windowMs: 3_600_000 },
  /** Channels on one connection: more than the first figure are refused, more than the second are discouraged. */
  channels: 1_000,
  advisedChannels: 50,
  /** Maximum messages of one connection, including text pings. The exchange closes a connection that exceeds it. */
  messages: { limit: 10, windowMs: 1_000 },
  /** Size of one request to subscribe. */
  requestBytes: 4_096,
  /** A connection that sends no `ping` for this long is closed. */
  silenceMs: 120_000,
  /** Recommended interval between pings, in ms. */
  pingMs: 30_000,
  /** Maximum age of a connection. */
  lifetimeMs: 86_400_000,
  /** Time between the warning and the closing of a connection, in ms. */
  warningMs: 60_000,
} as const;

/** The code of the warning that the connection will be closed. It is not the failure of a request. */
export const CLOSING_SOON = "30033";
/** The code of a private subscription on a connection without a valid login. */
export const LOGIN_REQUIRED = "30004";

/** Paths of the four sockets, under the exchange's WebSocket address. */
export const socketPath = (apiVersion: "v2" | "v3", access: "public" | "private"): string => `/${apiVersion}/ws/${access}`;
