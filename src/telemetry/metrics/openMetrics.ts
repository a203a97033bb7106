import { type OpenMetricsContentType, Registry } from "prom-client";

/** Whether the client accepts OpenMetrics. Prometheus does if it stores exemplars. */
export const wantsOpenMetrics = (accept: string | undefined): boolean =>
  accept?.includes("application/openmetrics-text") ?? false;

/**
 * The metrics of a registry in OpenMetrics, which supports exemplars. Its counters have no suffix `_total` in their metadata;
 * prom-client renames them permanently when it writes this format, so the lines are corrected here instead.
 */
export async function openMetricsText(registry: Registry): Promise<{ readonly type: string; readonly body: string }> {
  const open = new Registry<OpenMetricsContentType>();
  open.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const families: string[] = [];
  for (const metric of registry.getMetricsAsArray()) {
    open.registerMetric(registry.getSingleMetric(metric.name) ?? fail(metric.name));
    const text = await open.getSingleMetricAsString(metric.name);
    families.push(/^# TYPE \S+ counter$/m.test(text) ? counterFamily(text) : text);
  }
  return { type: Registry.OPENMETRICS_CONTENT_TYPE, body: `${families.join("\n")}\n# EOF\n` };
}

const counterFamily = (text: string): string =>
  text.replaceAll(/^(# (?:HELP|TYPE) \S+?)_total /gm, "$1 ").replaceAll(/^(\w+?)_total_total(?=[{ ])/gm, "$1_total");

function fail(name: string): never {
  throw new Error(`no metric ${name}`);
}
