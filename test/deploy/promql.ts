import { createRequire } from "node:module";

/** The used part of a Lezer syntax tree. */
interface Tree {
  iterate(spec: {
    enter(node: { readonly name: string; readonly from: number; readonly to: number }): boolean | undefined;
  }): void;
}

// Loaded as CommonJS because the package's ES module is bundled for browsers.
const { parser }: { readonly parser: { parse(text: string): Tree } } = createRequire(import.meta.url)(
  "@prometheus-io/lezer-promql",
);

/** Metrics and labels that an expression uses. */
export interface Asked {
  /** Names of metrics. */
  readonly metrics: ReadonlySet<string>;
  /** Matched labels, each with its metric. */
  readonly matched: readonly { readonly metric: string; readonly label: string }[];
}

/** Parses a PromQL expression. Throws an error with the position if it is invalid. */
export function readPromql(expression: string): Asked {
  const metrics = new Set<string>();
  const matched: { metric: string; label: string }[] = [];
  let metric = "";
  parser.parse(expression).iterate({
    enter({ name, from, to }) {
      if (name === "⚠") throw new Error(`no PromQL at ${from}: ${expression.slice(0, from)}⟨here⟩${expression.slice(from)}`);
      // Grouping labels belong to the grouped metric.
      if (name === "GroupingLabels") return false;
      const text = expression.slice(from, to);
      if (name === "LabelName") matched.push({ metric, label: text });
      if (name === "Identifier") {
        metric = text;
        metrics.add(text);
      }
      return undefined;
    },
  });
  return { metrics, matched };
}
