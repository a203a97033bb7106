/** Counters of the sockets, at zero. */
export const newGauges = () => ({
  connections: 0,
  subscriptions: 0,
  /** Text frames so far, pings and pongs included. */
  received: 0,
  sent: 0,
  /** Number of violations of client limits: messages, subscriptions, connections. */
  violations: 0,
  /** Connections that were closed because their client did not read. */
  overrun: 0,
});

export type SocketGauges = ReturnType<typeof newGauges>;
