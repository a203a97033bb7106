import { randomUUID } from "node:crypto";
import type { Secret } from "../datasources/errors/index.js";
import type { Settings } from "./variables.js";
import { VERSION } from "./version.js";

/** How traces are exported and sampled. */
export type TraceSettings = Exclude<ReturnType<typeof traceSettings>, undefined>;

function ratioOf(text: string): number {
  const [whole = "0", places = ""] = text.split(".");
  return (Number.parseInt(whole, 10) * 1_000_000 + Number.parseInt(places.padEnd(6, "0"), 10)) / 1_000_000;
}

/** The pairs of headers or attributes in the form of OpenTelemetry, decoded. */
export const pairsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(",")
      .filter((pair) => pair !== "")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  );

/** Attributes from the settings override the gateway's own. `OTEL_SERVICE_NAME` overrides the name among the attributes. */
const resourceOf = ({ OTEL_SERVICE_NAME: name, OTEL_RESOURCE_ATTRIBUTES: text = "" }: Settings): Record<string, string> => ({
  "service.name": "exchange-graph",
  "service.version": VERSION,
  "service.instance.id": randomUUID(),
  ...pairsIn(text),
  ...(name === undefined ? {} : { "service.name": name }),
});

/** Export of traces; `undefined` without an endpoint. `headers`: for the receiver, comma-separated `name=value`. */
export const traceSettings = (settings: Settings, headers: Secret | undefined) =>
  settings.OTEL_EXPORTER_OTLP_ENDPOINT && {
    /** Base address of an OTLP receiver, without `/v1/traces`. */
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers,
    timeoutMs: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    protocol: settings.OTEL_EXPORTER_OTLP_PROTOCOL,
    /** Attributes of the process that all spans share. */
    resource: resourceOf(settings),
    sampler: settings.OTEL_TRACES_SAMPLER,
    /** Share of recorded operations, from 0 to 1, for samplers with a ratio. */
    ratio: ratioOf(settings.OTEL_TRACES_SAMPLER_ARG),
  };

/** Settings that have no effect without an endpoint. */
export const traceContradictions = (values: Readonly<Record<string, string>>): string[] =>
  Object.hasOwn(values, "OTEL_EXPORTER_OTLP_ENDPOINT")
    ? []
    : ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS_FILE"]
        .filter((name) => Object.hasOwn(values, name))
        .map((name) => `${name}: needs OTEL_EXPORTER_OTLP_ENDPOINT: nothing is exported without it`);
