import { type ErrorRow, group } from "./row.js";

/** The codes of the WebSocket itself. Order entry over a socket answers with the REST codes of its API version. */
export const SOCKET_ERRORS: readonly ErrorRow[] = [
  group("validation", "fix", {
    "30001": "The channel, instrument type, topic or symbol does not exist",
    "30002": "The message cannot be read",
    "30003": "The operation does not exist",
    "30016": "A parameter is wrong",
  }),
  group("auth", "fix", { "30004": "A login has to come first" }),
  group("auth", "never", {
    "30005": "The login failed",
    "30011": "Invalid ACCESS_KEY",
    "30012": "Invalid ACCESS_PASSPHRASE",
    "30015": "The signature is wrong",
  }),
  group("clock", "fix", { "30013": "ACCESS_TIMESTAMP is not a time" }),
  group("clock", "backoff", { "30014": "The timestamp is more than 30 seconds from the exchange's clock" }),
  group("rateLimit", "backoff", {
    "429": "Too many requests",
    "30006": "Too many requests",
    "30007": "Too many requests: the connection is closed",
  }),
  group("unavailable", "backoff", { "30033": "The connection will be closed in about a minute" }),
].flat();
