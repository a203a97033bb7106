// biome-ignore lint/suspicious/noDeprecatedImports: nothing else reads certificates and keys from OpenTelemetry's variables; the version is pinned
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
import { TraceExporterMetricsHelper } from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { TraceSettings } from "../../config/traces.js";
import { otlpJson } from "./otlpJson.js";
import { SCOPE } from "./spanRecorder.js";

/**
 * Exports spans like the SDK's `OTLPTraceExporter`, with the same timeout, retries and environment variables, but with the text
 * of `otlpJson`.
 *
 * @param report is called with errors of the export
 */
export function otlpExporter(
  { endpoint, headers, timeoutMs }: TraceSettings,
  resource: Resource,
  report: (error: unknown) => void,
): SpanExporter {
  const options = convertLegacyHttpOptions(
    {
      url: `${endpoint.href.replace(/\/+$/, "")}/v1/traces`,
      headers: headersIn(headers?.reveal()),
      timeoutMillis: timeoutMs,
    },
    "TRACES",
    "v1/traces",
    { "Content-Type": "application/json" },
  );
  const serializer = otlpJson(resource, SCOPE);
  const delegate = createOtlpHttpExportDelegate(
    options,
    serializer,
    "otlp_http_json_span_exporter",
    TraceExporterMetricsHelper,
    undefined,
  );
  return {
    // Batches are serialized between requests, not during the one whose span completes the batch.
    export: (spans, done) =>
      void setImmediate(() =>
        delegate.export(spans, (result) => {
          if (result.error !== undefined) report(result.error);
          done(result);
        }),
      ),
    shutdown: () => delegate.shutdown(),
    forceFlush: () => delegate.forceFlush(),
  };
}

const headersIn = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (text ?? "")
      .split(",")
      .filter((pair) => pair !== "")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  );
