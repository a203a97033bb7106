import { type DestinationStream, type Logger, pino } from "pino";
import { HEADERS } from "../../contract/headers.js";
import type { LOG_LEVELS } from "../../settings/variables.js";

export type { Logger };

/** Names under which something secret could stand, wherever in a logged object they appear (three levels deep). */
const SECRET_KEYS = [
  "apiKey",
  "apiSecret",
  "secret",
  "passphrase",
  "password",
  "token",
  "signature",
  "authorization",
  "cookie",
  ...[HEADERS.key, HEADERS.sign, HEADERS.passphrase].map((name) => `["${name}"]`),
];

const below = (parent: string, key: string): string => (key.startsWith("[") ? `${parent}${key}` : `${parent}.${key}`);

/** An error as it is logged. Only these fields: others may hold a request with its headers. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const MAX_CAUSES = 5;

function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: "something that is not an error was thrown" };
  return {
    type: error.name,
    message: error.message,
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || depth >= MAX_CAUSES ? {} : { cause: loggedError(error.cause, depth + 1) }),
  };
}

/**
 * Every line is written at once: what is buffered is lost in a crash, and at exit it is tried for ever on a pipe whose
 * reader has gone.
 */
const standardOutput = (): DestinationStream => pino.destination({ dest: process.stdout.fd, sync: true });

/** A file that nobody but its owner may read. Lines are added at its end. */
export const privateFile = (path: string): DestinationStream & { on(event: "error", listen: (error: Error) => void): unknown } =>
  pino.destination({ dest: path, append: true, mkdir: true, mode: 0o600, sync: true });

/**
 * The log: JSON lines on standard output. A `Secret` redacts itself; values under a secret's usual name are replaced
 * besides; errors show type, message, code, stack and cause alone.
 */
export function createLog(level: (typeof LOG_LEVELS)[number], destination = standardOutput()): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, below("*", key), below("*.*", key)]), censor: "[secret]" },
    serializers: { err: (error: unknown) => loggedError(error), error: (error: unknown) => loggedError(error) },
  };
  return pino(options, destination);
}
