import { EngineUnreachable, messageOf } from "./commands.js";

/** Redis refuses this replica, or cannot be used by it. Waiting does not help: an operator has to change something. */
export class EngineRefused extends EngineUnreachable {}

/** Answers of Redis that do not pass by waiting, by their first word. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["WRONGPASS", "it refuses the user or the password"],
  ["NOAUTH", "it requires a password, and the address has none"],
  ["NOPERM", "its user lacks a right"],
]);
/** Errors of TLS after which the certificate or the trusted authorities have to be changed. */
const CERTIFICATE = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;
/** The command in Redis's refusal of a right. */
const COMMAND = /'([a-z|]+)' command/;

const REOPENED =
  /^(?:EPOCH|READONLY|MASTERDOWN|LOADING|OOM|NOREPLICAS|NOAUTH|WRONGPASS|NOPERM|ERR The user executing the script)/;
/** Whether the connection is opened again: Redis was emptied or replaced, takes no writes, or has changed the user. */
export const reopens = (why: string): boolean => REOPENED.test(why);

/** The reason of a failure, without address, user or password, and whether it may pass by waiting. */
export function reasonOf(error: unknown): { readonly reason: string; readonly mayPass: boolean } {
  if (error instanceof EngineRefused) return { reason: error.message, mayPass: false };
  const code = codeOf(error);
  if (CERTIFICATE.test(code)) return { reason: `its certificate is not accepted (${code})`, mayPass: false };
  if (code !== "") return { reason: `it cannot be reached (${code})`, mayPass: true };
  const message = messageOf(error);
  const [word = ""] = message.split(" ", 1);
  const refusal = REFUSALS.get(word);
  if (refusal === undefined) return { reason: message, mayPass: true };
  const command = COMMAND.exec(message)?.[1];
  return { reason: `${refusal} (${command === undefined ? word : `${word} ${command}`})`, mayPass: false };
}

/** Several addresses of one name that all fail have one error with a code, too. */
const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
