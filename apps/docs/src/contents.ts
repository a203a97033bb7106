/** The handwritten pages, in the order of the navigation: section, file from the repository's root, path on the site. */
export const CONTENTS: readonly {
  readonly section: string;
  readonly file: string;
  readonly path: string;
  readonly title?: string;
}[] = [
  { section: "Start", file: "README.md", path: "", title: "Overview" },
  { section: "Use", file: "docs/graph.md", path: "graph" },
  { section: "Use", file: "docs/edges.md", path: "edges" },
  { section: "Use", file: "docs/writes.md", path: "writes" },
  { section: "Use", file: "docs/subscriptions.md", path: "subscriptions" },
  { section: "Use", file: "docs/history.md", path: "history" },
  { section: "Use", file: "docs/exports.md", path: "exports" },
  { section: "Use", file: "packages/client/README.md", path: "client", title: "Client for front ends" },
  { section: "Use", file: "docs/desk.md", path: "desk" },
  { section: "Use", file: "docs/sandbox.md", path: "sandbox" },
  { section: "Operate", file: "docs/guides.md", path: "guides" },
  { section: "Operate", file: "docs/deploying.md", path: "deploying" },
  { section: "Operate", file: "docs/runbooks.md", path: "runbooks" },
  { section: "Operate", file: "docs/drills.md", path: "drills" },
  { section: "Operate", file: "docs/security.md", path: "security" },
  { section: "Operate", file: "docs/scaling.md", path: "scaling" },
  { section: "Operate", file: "docs/sharding.md", path: "sharding" },
  { section: "Operate", file: "docs/reference.md", path: "reference" },
  { section: "Operate", file: "docs/stability.md", path: "stability" },
  { section: "Operate", file: "docs/upgrading.md", path: "upgrading" },
  { section: "Develop", file: "CONTRIBUTING.md", path: "contributing" },
  { section: "Develop", file: "examples/README.md", path: "front-end-examples", title: "Front-end examples" },
  { section: "Develop", file: "docs/architecture.md", path: "architecture" },
  { section: "Develop", file: "docs/testing.md", path: "testing" },
  { section: "Develop", file: "CHANGELOG.md", path: "changelog" },
  { section: "Develop", file: "docs/decisions/README.md", path: "decisions" },
];

/** Sections of those pages that are separate pages here, by their heading. */
export const EXTRACTS: readonly {
  readonly file: string;
  readonly heading: string;
  readonly path: string;
  readonly title: string;
}[] = [
  { file: "docs/graph.md", heading: "Errors", path: "errors", title: "Errors" },
  { file: "docs/reference.md", heading: "Metrics", path: "metrics", title: "Metrics" },
];
