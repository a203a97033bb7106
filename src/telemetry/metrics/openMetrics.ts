import { type OpenMetricsContentType, Registry } from "prom-client";

/** Asks the client for OpenMetrics? Prometheus does, where it is to keep exemplars. */
export const wantsOpenMetrics = (accept: string | undefined): boolean =>
  accept?.includes("application/openmetrics-text") ?? false;

/**
 * A registry's metrics in the format of OpenMetrics, which has exemplars. A counter is a family without `_total` there; prom-client
 * renames it for good when it writes this format, so its lines are put right here.
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
