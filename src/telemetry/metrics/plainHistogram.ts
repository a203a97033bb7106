import { Histogram, type Registry } from "prom-client";
import type { Exemplar } from "../traceIds/traceIds.js";

/** One series of a histogram, counted in plain numbers. */
export class HistogramSeries<L extends string> {
  /** By bucket; the last one is above all bounds. */
  readonly counts: number[];
  /** By bucket, the last value of a recorded trace. */
  readonly exemplars: (Exemplar | undefined)[] = [];
  sum = 0;

  constructor(
    readonly labels: Readonly<Record<L, string>>,
    private readonly bounds: readonly number[],
  ) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** `exemplar`: shown with the value's bucket. */
  observe(value: number, exemplar?: Exemplar): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? 0)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
    if (exemplar !== undefined) this.exemplars[bucket] = exemplar;
  }
}

interface HistogramLine {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly sharedLabels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly exemplar?: Exemplar | undefined;
}

/**
 * A histogram with prepared series, counted in plain numbers: prom-client would look a series up by its labels for each value.
 * The text is made at each scrape.
 */
export class PlainHistogram<L extends string> extends Histogram<L> {
  readonly #series: HistogramSeries<L>[] = [];
  readonly #shape: { readonly name: string; readonly help: string; readonly bounds: readonly number[] };

  constructor(
    registry: Registry,
    name: string,
    { help, labelNames, bounds }: { readonly help: string; readonly labelNames: L[]; readonly bounds: readonly number[] },
  ) {
    super({ name, help, labelNames, buckets: [...bounds], registers: [registry] });
    this.#shape = { name, help, bounds };
  }

  /** A new series, which the caller keeps. */
  newSeries(labels: Readonly<Record<L, string>>): HistogramSeries<L> {
    const series = new HistogramSeries(labels, this.#shape.bounds);
    this.#series.push(series);
    return series;
  }

  /** The values in the form that prom-client's registry reads. */
  async getForPromString() {
    const { name, help } = this.#shape;
    const values = this.#series.flatMap((series) => this.#values(series));
    return { name, help, type: "histogram", aggregator: "sum", values };
  }

  #values({ labels: sharedLabels, counts, exemplars, sum }: HistogramSeries<L>): readonly HistogramLine[] {
    const { name, bounds } = this.#shape;
    let count = 0;
    const buckets = counts.map((ofBucket, index) => {
      count += ofBucket;
      const labels = { le: bounds[index] ?? "+Inf" };
      return { metricName: `${name}_bucket`, labels, sharedLabels, value: count, exemplar: exemplars[index] };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
      { metricName: `${name}_count`, labels: {}, sharedLabels, value: count },
    ];
  }
}
