import { ROOT_CONTEXT, type SpanContext, TraceFlags } from "@opentelemetry/api";
import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace-base";
import type { TraceSettings } from "../../config/traces.js";

/** Decides whether an operation is recorded, by the client's trace context, before anything is allocated for it. */
export type Sampling = (parent: SpanContext | undefined) => boolean;

/**
 * The samplers of the OpenTelemetry specification.
 *
 * @param random between 0 and 1: decides for traces that start here
 */
export function samplingOf({ sampler, ratio }: TraceSettings, random: () => number): Sampling {
  switch (sampler) {
    case "always_on":
      return () => true;
    case "always_off":
      return () => false;
    case "traceidratio": {
      const ofTrace = new TraceIdRatioBasedSampler(ratio);
      const isChosen = ({ traceId }: SpanContext): boolean =>
        ofTrace.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
      return (parent) => (parent === undefined ? random() < ratio : isChosen(parent));
    }
    case "parentbased_always_on":
      return (parent) => parent === undefined || isSampled(parent);
    case "parentbased_always_off":
      return (parent) => parent !== undefined && isSampled(parent);
    case "parentbased_traceidratio":
      return (parent) => (parent === undefined ? random() < ratio : isSampled(parent));
  }
}

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;
