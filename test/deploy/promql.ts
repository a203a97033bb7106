import { createRequire } from "node:module";

/** What we use of a syntax tree of Lezer's. */
interface Tree {
  iterate(spec: {
    enter(node: { readonly name: string; readonly from: number; readonly to: number }): boolean | undefined;
  }): void;
}

// Loaded as CommonJS: the package's ES module is bundled for browsers.
const { parser }: { readonly parser: { parse(text: string): Tree } } = createRequire(import.meta.url)(
  "@prometheus-io/lezer-promql",
);

/** What an expression asks for. */
export interface Asked {
  /** Names of metrics. */
  readonly metrics: ReadonlySet<string>;
  /** Labels that are matched, each with the metric that it is a label of. */
  readonly matched: readonly { readonly metric: string; readonly label: string }[];
}

/** Reads an expression of PromQL. Throws where it is none, with the place. */
export function readPromql(expression: string): Asked {
  const metrics = new Set<string>();
  const matched: { metric: string; label: string }[] = [];
  let metric = "";
  parser.parse(expression).iterate({
    enter({ name, from, to }) {
      if (name === "⚠") throw new Error(`no PromQL at ${from}: ${expression.slice(0, from)}⟨here⟩${expression.slice(from)}`);
      // Labels that are grouped by belong to whatever is grouped.
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
