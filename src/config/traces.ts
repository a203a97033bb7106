import type { Secret } from "../datasources/secret.js";

/** Which operations are recorded, in OpenTelemetry's words. */
export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Where traces go, and which. */
export interface TraceSettings {
  /** Of an OTLP receiver, without `/v1/traces`. */
  readonly endpoint: URL;
  /** Headers for the receiver, comma-separated `name=value`. */
  readonly headers: Secret | undefined;
  /** How long an export may take. */
  readonly timeoutMs: number;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The share of operations that is recorded, from 0 to 1, where the sampler goes by one. */
  readonly ratio: number;
}

/** Headers as OpenTelemetry writes them: names and percent-encoded values. */
export const OTLP_HEADERS = /^[\w-]+=[^,=\s]+(?:,[\w-]+=[^,=\s]+)*$/;

/** A share as decimal text of at most six places. */
export const RATIO = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/;

/** The number that such a text stands for. */
function ratioOf(text: string): number {
  const [whole = "0", places = ""] = text.split(".");
  return (Number.parseInt(whole, 10) * 1_000_000 + Number.parseInt(places.padEnd(6, "0"), 10)) / 1_000_000;
}

/** The settings that traces go by, as they are read. */
interface GivenTraces {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: URL | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: Secret | undefined;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_TRACES_SAMPLER: TraceSettings["sampler"];
  readonly OTEL_TRACES_SAMPLER_ARG: string;
}

/** Where traces go, and which; `undefined` without an endpoint. */
export const traceSettings = (given: GivenTraces, headersInFile: Secret | undefined): TraceSettings | undefined =>
  given.OTEL_EXPORTER_OTLP_ENDPOINT && {
    endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: given.OTEL_EXPORTER_OTLP_HEADERS ?? headersInFile,
    timeoutMs: given.OTEL_EXPORTER_OTLP_TIMEOUT,
    serviceName: given.OTEL_SERVICE_NAME,
    sampler: given.OTEL_TRACES_SAMPLER,
    ratio: ratioOf(given.OTEL_TRACES_SAMPLER_ARG),
  };

/** Settings that say nothing without the one that turns traces on. */
export const traceContradictions = (given: Readonly<Record<string, string>>): string[] =>
  Object.hasOwn(given, "OTEL_EXPORTER_OTLP_ENDPOINT")
    ? []
    : ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS_FILE"]
        .filter((name) => Object.hasOwn(given, name))
        .map((name) => `${name}: needs OTEL_EXPORTER_OTLP_ENDPOINT: nothing is exported without it`);
