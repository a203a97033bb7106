import { randomUUID } from "node:crypto";
import type { Secret } from "../datasources/errors/index.js";
import { VERSION } from "./version.js";

/** Samplers, by their names in OpenTelemetry. */
export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Protocols of OTLP over HTTP, by their names in OpenTelemetry. */
export const OTLP_PROTOCOLS = ["http/protobuf", "http/json"] as const;

export interface TraceSettings {
  /** Base address of an OTLP receiver, without `/v1/traces`. */
  readonly endpoint: URL;
  /** Headers for the receiver, comma-separated `name=value`. */
  readonly headers: Secret | undefined;
  readonly timeoutMs: number;
  readonly protocol: (typeof OTLP_PROTOCOLS)[number];
  /** Attributes of the process that all spans share. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Share of recorded operations, from 0 to 1, for samplers with a ratio. */
  readonly ratio: number;
}

/** Headers in the form of OpenTelemetry: names and percent-encoded values. */
export const OTLP_HEADERS = /^[\w-]+=[^,=\s]+(?:,[\w-]+=[^,=\s]+)*$/;

/** Attributes in the form of OpenTelemetry: names and percent-encoded values. */
export const RESOURCE_ATTRIBUTES = /^[\w.-]+=(?:[^,=;\s"\\%]|%[\da-fA-F]{2})*(?:,[\w.-]+=(?:[^,=;\s"\\%]|%[\da-fA-F]{2})*)*$/;

/** A ratio as decimal text with at most six decimals. */
export const RATIO = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/;

function ratioOf(text: string): number {
  const [whole = "0", places = ""] = text.split(".");
  return (Number.parseInt(whole, 10) * 1_000_000 + Number.parseInt(places.padEnd(6, "0"), 10)) / 1_000_000;
}

/** The variables about traces, after their own validation. */
interface TraceVariables {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: URL | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: Secret | undefined;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL: TraceSettings["protocol"];
  readonly OTEL_SERVICE_NAME?: string | undefined;
  readonly OTEL_RESOURCE_ATTRIBUTES?: string | undefined;
  readonly OTEL_TRACES_SAMPLER: TraceSettings["sampler"];
  readonly OTEL_TRACES_SAMPLER_ARG: string;
}

/** The pairs of such headers or attributes, decoded. */
export const pairsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(",")
      .filter((pair) => pair !== "")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  );

/** Attributes from the settings override the gateway's own. `OTEL_SERVICE_NAME` overrides the name among the attributes. */
const resourceOf = ({
  OTEL_SERVICE_NAME: name,
  OTEL_RESOURCE_ATTRIBUTES: text = "",
}: TraceVariables): TraceSettings["resource"] => ({
  "service.name": "exchange-graph",
  "service.version": VERSION,
  "service.instance.id": randomUUID(),
  ...pairsIn(text),
  ...(name === undefined ? {} : { "service.name": name }),
});

/** Export of traces; `undefined` without an endpoint. */
export const traceSettings = (values: TraceVariables, headersInFile: Secret | undefined): TraceSettings | undefined =>
  values.OTEL_EXPORTER_OTLP_ENDPOINT && {
    endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? headersInFile,
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    resource: resourceOf(values),
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: ratioOf(values.OTEL_TRACES_SAMPLER_ARG),
  };

/** Settings that have no effect without an endpoint. */
export const traceContradictions = (values: Readonly<Record<string, string>>): string[] =>
  Object.hasOwn(values, "OTEL_EXPORTER_OTLP_ENDPOINT")
    ? []
    : ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS_FILE"]
        .filter((name) => Object.hasOwn(values, name))
        .map((name) => `${name}: needs OTEL_EXPORTER_OTLP_ENDPOINT: nothing is exported without it`);
