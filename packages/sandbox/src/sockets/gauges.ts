/** What the sockets do and have done. */
export interface SocketGauges {
  /** Open connections and subscriptions. */
  connections: number;
  subscriptions: number;
  /** Text frames so far, pings and pongs included. */
  received: number;
  sent: number;
  /** How often a client asked for more than it may: messages, subscriptions, connections. */
  violations: number;
  /** Connections that were closed because their client did not read. */
  overrun: number;
}

/** Gauges that have counted nothing yet. */
export const newGauges = (): SocketGauges => ({
  connections: 0,
  subscriptions: 0,
  received: 0,
  sent: 0,
  violations: 0,
  overrun: 0,
});
