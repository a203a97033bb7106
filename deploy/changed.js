import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

// `node deploy/changed.js docs` checks whether an input of the documentation has changed since its last build; `documents` checks
// the same for the typed documents, `pages` for GraphiQL and the desk. Exits with 0 if a build is needed, and with 1 otherwise.
const BUILT = {
  documents: {
    outputs: [
      ...["packages/client/src/documents/graphql.ts", "packages/client/src/documents/graphTypes.ts"],
      "apps/desk/src/graph/generated/graphql.ts",
      "test/generated/persisted-documents.json",
    ],
    inputs: [
      ...["codegen.yml", "schema.graphql", "docs/examples", "apps/graphiql/firstQuery.graphql", "apps/desk/src"],
      ...["packages/client/pureDocuments.js", "packages/client/printGraphTypes.js", "package-lock.json"],
    ],
  },
  docs: {
    outputs: ["apps/docs/dist/index.html"],
    inputs: [
      ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", ".env.example", "codegen.yml", "schema.graphql"],
      ...[
        "docs",
        "examples/README.md",
        "packages/client/README.md",
        "deploy/prometheus",
        "apps/docs",
        "apps/graphiql/icon.svg",
        "apps/precompress.js",
      ],
      "package-lock.json",
    ],
  },
  pages: {
    outputs: ["apps/graphiql/dist/index.html", "apps/desk/dist/index.html"],
    inputs: ["apps/graphiql", "apps/desk", "apps/precompress.js", "package-lock.json"],
  },
};
/** Folders that builds or installations write. */
const NOT_SOURCES = new Set(["dist", "build", "generated", "node_modules"]);

/** Modification time of a file, or the latest one of the files in a folder. */
function changedAt(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = readdirSync(path).filter((name) => !NOT_SOURCES.has(name));
  return Math.max(0, ...names.map((name) => changedAt(join(path, name))));
}

const { outputs, inputs } = BUILT[process.argv[2]];
const isBuilt = outputs.every((path) => existsSync(path));
process.exitCode = !isBuilt || Math.max(...inputs.map(changedAt)) > Math.min(...outputs.map(changedAt)) ? 0 : 1;
