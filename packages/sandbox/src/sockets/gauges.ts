/** Counters of the sockets. */
export interface SocketGauges {
  /** Open connections and subscriptions. */
  connections: number;
  subscriptions: number;
  /** Text frames so far, pings and pongs included. */
  received: number;
  sent: number;
  /** Number of violations of client limits: messages, subscriptions, connections. */
  violations: number;
  /** Connections that were closed because their client did not read. */
  overrun: number;
}

/** Gauges at zero. */
export const newGauges = (): SocketGauges => ({
  connections: 0,
  subscriptions: 0,
  received: 0,
  sent: 0,
  violations: 0,
  overrun: 0,
});
