/** Request headers of this server. */
export const REQUEST_HEADERS = {
  /** With the value `1`: the answer includes the trace and the cost. */
  trace: "x-exchange-trace",
  /** Token of a reserved event stream: the single connection mode of GraphQL over SSE. */
  eventStream: "x-graphql-event-stream-token",
} as const;
