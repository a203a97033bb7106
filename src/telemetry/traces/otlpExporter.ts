// biome-ignore lint/suspicious/noDeprecatedImports: nothing else reads certificates and keys from OpenTelemetry's variables; the version is pinned
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
import { JsonTraceSerializer, ProtobufTraceSerializer, TraceExporterMetricsHelper } from "@opentelemetry/otlp-transformer";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import { pairsIn, type TraceSettings } from "../../config/traces.js";

/** What the SDK has for each protocol. */
const PROTOCOLS = {
  "http/protobuf": {
    serializer: ProtobufTraceSerializer,
    contentType: "application/x-protobuf",
    name: "otlp_http_span_exporter",
  },
  "http/json": { serializer: JsonTraceSerializer, contentType: "application/json", name: "otlp_http_json_span_exporter" },
} as const;

/**
 * The SDK's exporter for a protocol, made of the same parts as its `OTLPTraceExporter`, with the SDK's retries and environment
 * variables. It serializes between requests, and its errors are reported.
 *
 * @param report is called with errors of the export
 */
export function otlpExporter(
  { endpoint, headers, timeoutMs, protocol }: TraceSettings,
  report: (error: unknown) => void,
): SpanExporter {
  const { serializer, contentType, name } = PROTOCOLS[protocol];
  const options = convertLegacyHttpOptions(
    {
      url: `${endpoint.href.replace(/\/+$/, "")}/v1/traces`,
      headers: pairsIn(headers?.reveal() ?? ""),
      timeoutMillis: timeoutMs,
    },
    "TRACES",
    "v1/traces",
    { "Content-Type": contentType },
  );
  const delegate = createOtlpHttpExportDelegate(options, serializer, name, TraceExporterMetricsHelper, undefined);
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
