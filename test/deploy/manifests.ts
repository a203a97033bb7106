import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

/** A Kubernetes object as written in a file. */
export const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
  spec: z.unknown().optional(),
  data: z.record(z.string(), z.string()).optional(),
});
/** The same, typed. */
export type Manifest = z.infer<typeof manifest>;

export const parseManifests = (text: string): readonly Manifest[] =>
  parseAllDocuments(text).map((document) => manifest.parse(document.toJS({})));

const KUBERNETES = "deploy/kubernetes";
/** Their names. */
export const OVERLAYS = ["sandbox", "exchange", "readers", "replicas", "replicas-valkey"] as const;
/** One of the overlays. */
export type Overlay = (typeof OVERLAYS)[number];

/** Files with complete objects: the base and the additions of overlays. Patches are checked after they are applied. */
export const wholeFiles: readonly string[] = [
  ...readdirSync(join(KUBERNETES, "base"))
    .filter((name) => name !== "kustomization.yaml")
    .map((name) => join(KUBERNETES, "base", name)),
  join(KUBERNETES, "overlays/readers/horizontalpodautoscaler.yaml"),
];

/** The files with complete objects of the component. */
export const valkeyFiles: readonly string[] = ["statefulset", "service", "networkpolicy"].map((name) =>
  join(KUBERNETES, "components/valkey", `${name}.yaml`),
);

/** Why overlays cannot be rendered here; `undefined` if they can. `labels` with custom fields requires Kustomize 5. */
export function whyNoKustomize(): string | undefined {
  const { error, stdout } = spawnSync("kubectl", ["version", "--client"], { encoding: "utf8" });
  if (error !== undefined) return "kubectl not found. It is at https://kubernetes.io/docs/tasks/tools";
  return /^Kustomize Version: v(?:[5-9]|\d\d)\./m.test(stdout) ? undefined : "kubectl is older than 1.27";
}

/** An overlay, or an example beside the overlays, as `kubectl apply -k` sends it. */
export function render(overlay: Overlay | `../examples/${string}`): readonly Manifest[] {
  const { status, stdout, stderr } = spawnSync("kubectl", ["kustomize", join(KUBERNETES, "overlays", overlay)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return parseManifests(stdout);
}

/** The module with the API's schema for an object. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const name = apiVersion.startsWith("monitoring.coreos.com/") ? "@kubernetes-models/prometheus-operator" : "kubernetes-models";
  return `${name}/${apiVersion}/${kind}`;
}

const require = createRequire(import.meta.url);

/** Throws if a required field is missing or a field has a value that the API does not accept. */
export function validate(object: Manifest): void {
  const { [object.kind]: Model } = require(moduleOf(object)) as Record<string, new (data: unknown) => { validate(): void }>;
  if (Model === undefined) throw new Error(`the API has no ${object.kind}`);
  new Model(object).validate();
}

/**
 * TypeScript's errors about fields that the API does not have, by the name of the list of objects. The schemas ignore such
 * fields, the types do not. One compiler run checks all lists, because loading the types takes most of the time.
 */
export function unknownFields<Name extends string>(
  lists: Readonly<Record<Name, readonly Manifest[]>>,
): Readonly<Record<Name, string>> {
  const folder = mkdtempSync(join(tmpdir(), "manifests-"));
  try {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const names = Object.keys(lists) as Name[];
    for (const name of names) {
      const lines = lists[name].flatMap((object, at) => [
        `import type { I${object.kind} as T${at} } from "${moduleOf(object)}";`,
        `export const object${at}: T${at} = ${JSON.stringify(object)};`,
      ]);
      writeFileSync(join(folder, `${name}.ts`), lines.join("\n"));
    }
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", "", "--pretty", "false"];
    const files = names.map((name) => `${name}.ts`);
    const { stdout, stderr } = spawnSync(resolve("node_modules/.bin/tsc"), [...options, ...files], {
      cwd: folder,
      encoding: "utf8",
    });
    if (stderr !== "") throw new Error(stderr);
    // An error may continue on indented lines.
    const complaints = stdout.split(/\n(?=\S)/).filter((complaint) => complaint.trim() !== "");
    const strange = complaints.filter((complaint) => !files.some((file) => complaint.startsWith(`${file}(`)));
    if (strange.length > 0) throw new Error(strange.join("\n"));
    const of = (name: Name) => complaints.filter((complaint) => complaint.startsWith(`${name}.ts(`)).join("\n");
    return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, string>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
