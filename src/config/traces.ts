import type { Secret } from "../datasources/errors/secret.js";

/** Samplers, by their names in OpenTelemetry. */
export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Export of traces, and sampling. */
export interface TraceSettings {
  /** Base address of an OTLP receiver, without `/v1/traces`. */
  readonly endpoint: URL;
  /** Headers for the receiver, comma-separated `name=value`. */
  readonly headers: Secret | undefined;
  /** Timeout of one export. */
  readonly timeoutMs: number;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Share of recorded operations, from 0 to 1, for samplers with a ratio. */
  readonly ratio: number;
}

/** Headers in the form of OpenTelemetry: names and percent-encoded values. */
export const OTLP_HEADERS = /^[\w-]+=[^,=\s]+(?:,[\w-]+=[^,=\s]+)*$/;

/** A ratio as decimal text with at most six decimals. */
export const RATIO = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/;

/** The number of such a text. */
function ratioOf(text: string): number {
  const [whole = "0", places = ""] = text.split(".");
  return (Number.parseInt(whole, 10) * 1_000_000 + Number.parseInt(places.padEnd(6, "0"), 10)) / 1_000_000;
}

/** The variables about traces, after their own validation. */
interface GivenTraces {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: URL | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: Secret | undefined;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_TRACES_SAMPLER: TraceSettings["sampler"];
  readonly OTEL_TRACES_SAMPLER_ARG: string;
}

/** Export of traces; `undefined` without an endpoint. */
export const traceSettings = (given: GivenTraces, headersInFile: Secret | undefined): TraceSettings | undefined =>
  given.OTEL_EXPORTER_OTLP_ENDPOINT && {
    endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: given.OTEL_EXPORTER_OTLP_HEADERS ?? headersInFile,
    timeoutMs: given.OTEL_EXPORTER_OTLP_TIMEOUT,
    serviceName: given.OTEL_SERVICE_NAME,
    sampler: given.OTEL_TRACES_SAMPLER,
    ratio: ratioOf(given.OTEL_TRACES_SAMPLER_ARG),
  };

/** Settings that have no effect without an endpoint. */
export const traceContradictions = (given: Readonly<Record<string, string>>): string[] =>
  Object.hasOwn(given, "OTEL_EXPORTER_OTLP_ENDPOINT")
    ? []
    : ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS_FILE"]
        .filter((name) => Object.hasOwn(given, name))
        .map((name) => `${name}: needs OTEL_EXPORTER_OTLP_ENDPOINT: nothing is exported without it`);
