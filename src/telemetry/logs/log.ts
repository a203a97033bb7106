import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import { HEADERS } from "@exchange-graph/contract/headers";
import { type DestinationStream, type Logger, pino } from "pino";
import type { LOG_LEVELS } from "../../config/variables.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { LineSink } from "./lineSink.js";
import { originalStack } from "./originalStack.js";

export type { Logger };

type LineTraces = Pick<TraceIds, "ofRequest">;

/** Keys of secrets, redacted in a logged object up to three levels deep. */
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

/** An error as it is logged. Other fields are dropped, because they may contain a request with its headers. */
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
    ...(error.stack === undefined ? {} : { stack: originalStack(error.stack) }),
    ...(error.cause === undefined || depth >= MAX_CAUSES ? {} : { cause: loggedError(error.cause, depth + 1) }),
  };
}

/** Standard output, which may be a full disk or a pipe without a reader; neither stops the gateway. */
export const standardOutput = (clock: Clock): LineSink =>
  LineSink.to(process.stdout.fd, { clock, lostLine: (lost) => `${JSON.stringify(lostLine(lost, clock))}\n` });

const lostLine = (lost: number, clock: Clock) => ({
  level: "error",
  time: new Date(clock.now()).toISOString(),
  lost,
  msg: "lines of the log were lost: they could not be written",
});

/** Adds the trace id of a line's request. */
function tracedLine(line: object, traceIds: LineTraces): object {
  const traceId = "requestId" in line && typeof line.requestId === "string" ? traceIds.ofRequest(line.requestId) : undefined;
  return traceId === undefined ? {} : { traceId };
}

/**
 * Creates the log: JSON lines on standard output. A `Secret` redacts itself, and values under the keys of secrets are replaced.
 * Errors are logged with type, message, code, stack and cause only. Lines of a request with a recorded trace have its id.
 */
export function createLog(
  level: (typeof LOG_LEVELS)[number],
  destination: DestinationStream = standardOutput(systemClock),
  traceIds?: LineTraces,
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, below("*", key), below("*.*", key)]), censor: "[secret]" },
    ...(traceIds && { mixin: (line: object) => tracedLine(line, traceIds) }),
    serializers: { err: (error: unknown) => loggedError(error), error: (error: unknown) => loggedError(error) },
  };
  return pino(options, destination);
}
