/** Headers of requests that this server has given a meaning. */
export const REQUEST_HEADERS = {
  /** With the value `1`: the answer says what was read for it. */
  trace: "x-exchange-trace",
  /** Which reserved event stream the request is about: the single connection mode of GraphQL over SSE. */
  eventStream: "x-graphql-event-stream-token",
} as const;
