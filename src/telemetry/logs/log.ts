import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import { HEADERS } from "@exchange-graph/contract/headers";
import { LRUCache } from "lru-cache";
import { type DestinationStream, type Logger, pino } from "pino";
import type { LOG_LEVELS } from "../../config/variables.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { LineSink } from "./lineSink.js";

/** A position in a stack: file, line and column, both from 1. */
const PLACE = /(?<=[ (])(?:file:\/\/)?(\/[^():\n]+):(\d+):(\d+)(?=\)?$)/gm;

/** Maximum number of cached positions; errors repeat. */
const KEPT_PLACES = 1_000;
const originals = new LRUCache<string, string>({ max: KEPT_PLACES });

/** Undefined without a readable map. */
function mapOf(file: string): SourceMap | undefined {
  const path = `${file}.map`;
  if (!existsSync(path)) return undefined;
  try {
    return new SourceMap(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

function originalOf(map: SourceMap | undefined, file: string, line: number, column: number): string | undefined {
  const entry = map?.findEntry(line - 1, column - 1);
  if (entry === undefined || !("originalSource" in entry) || entry.generatedLine !== line - 1) return undefined;
  return `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/**
 * Maps the positions of a stack from the bundle to `src`, using the source maps beside the files. Node's `--enable-source-maps`
 * would read the map at each start, and keep 50 MB for it from the first stack on. Here a map is read for a stack with a new
 * position, which takes 0.1 s, and is not kept.
 */
export function originalStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(PLACE, (text, file: string, line: string, column: string) => {
    const cached = originals.get(text);
    if (cached !== undefined) return cached;
    if (!maps.has(file)) maps.set(file, mapOf(file));
    const original = originalOf(maps.get(file), file, Number.parseInt(line, 10), Number.parseInt(column, 10)) ?? text;
    originals.set(text, original);
    return original;
  });
}

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
