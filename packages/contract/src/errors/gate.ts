import { type ErrorRow, group } from "./row.js";

/** The codes of the checks that precede both API versions: key, clock, signature, form of the call, health. */
export const GATE_ERRORS: readonly ErrorRow[] = [
  group("auth", "never", {
    "40001": "ACCESS_KEY is empty",
    "40002": "ACCESS_SIGN is empty",
    "40003": "The signature is empty",
    "40006": "Invalid or missing ACCESS_KEY",
    "40009": "The signature is wrong",
    "40011": "ACCESS_PASSPHRASE is empty",
    "40012": "The key or the passphrase is wrong",
    "40018": "Calls from this address are not allowed",
    "40036": "The passphrase is wrong",
    "40037": "The key does not exist",
    "40038": "The address is not on the key's list",
  }),
  group("auth", "fix", { "40007": "Invalid Content-Type" }),
  group("clock", "fix", { "40005": "ACCESS_TIMESTAMP is not a time" }),
  group("clock", "backoff", { "40008": "The timestamp is more than 30 seconds from the exchange's clock" }),
  group("permission", "never", { "40014": "The key lacks a permission: {0}" }),
  group("environment", "never", { "40099": "A demo key on the live environment, or the reverse" }),
  group("accountMode", "backoff", { "40115": "The account is being upgraded or rolled back" }),
  group("validation", "fix", {
    "00001": "The range is longer than {0} days",
    "40017": "Parameter verification failed: {0}",
    "400172": "Parameter verification failed: {0}",
    "40019": "Parameter {0} is missing",
    "40020": "Parameter {0} is wrong",
    "40034": "Parameter {0} does not exist: an unknown symbol or value",
    "40404": "There is no such path",
    "40704": "Only the last three months can be queried",
    "40707": "The end time is before the start time",
  }),
  group("rateLimit", "backoff", { "429": "Too many requests" }),
  group("unavailable", "look up", {
    "40010": "The request timed out inside the exchange",
    "40015": "The system is in an abnormal state",
    "40725": "A service of the exchange returned an error",
    "45001": "Unknown error",
  }),
  group("maintenance", "backoff", { "40200": "The exchange is being upgraded" }),
].flat();
