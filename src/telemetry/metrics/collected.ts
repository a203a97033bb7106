import { Counter, type CounterConfiguration, Gauge, type GaugeConfiguration, type Registry } from "prom-client";

type Series<L extends string> = Iterable<readonly [labels: Readonly<Record<L, string>>, value: number]>;

/** Declares metrics whose values are read at each scrape. */
export function collectedIn(registry: Registry) {
  const registers = [registry];
  const series =
    (Metric: new (of: CounterConfiguration<string> & GaugeConfiguration<string>) => unknown) =>
    <L extends string>(name: string, help: string, labelNames: L[], read: () => Series<L>): void => {
      new Metric({
        ...{ name, help, labelNames, registers },
        collect(this: Counter | Gauge) {
          this.reset();
          for (const [labels, value] of read()) this.inc(labels, value);
        },
      });
    };
  return {
    /** A gauge without labels. */
    gauge(name: string, help: string, read: () => number): void {
      new Gauge({
        ...{ name, help, registers },
        collect() {
          this.set(read());
        },
      });
    },
    gauges: series(Gauge),
    counters: series(Counter),
  };
}

/** Series of one label, by its values. */
export const labelled = <L extends string>(label: L, values: Iterable<readonly [string, number]>) =>
  Array.from(values, ([text, value]) => [{ [label]: text } as Record<L, string>, value] as const);
