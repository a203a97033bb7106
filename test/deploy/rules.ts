import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const rule = z.object({
  alert: z.string().optional(),
  record: z.string().optional(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
});
const ruleFile = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(rule) })) });

/** A Prometheus rule, named by `alert` or `record`. */
export type Rule = z.infer<typeof rule>;

/** The rules of a file, in its order. */
export const rulesOf = (path: string): readonly Rule[] =>
  ruleFile.parse(parse(readFileSync(path, "utf8"))).groups.flatMap(({ rules }) => rules);
