import { readdirSync, readFileSync } from "node:fs";

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The line of its opening fence. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const markdownIn = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : []));

/** Every documentation page. The changelog has no blocks to run. */
export const PAGES: readonly string[] = [
  ...["README.md", "CONTRIBUTING.md", "examples/README.md"],
  ...["docs", "docs/decisions", "packages/client", "packages/contract", "packages/sandbox"].flatMap(markdownIn),
];

function blocksIn(page: string): Block[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 1: indent = "", 2: language = "", 3: code = "" }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
}

/** Every fenced block of every page, in the pages' order. */
export const BLOCKS: readonly Block[] = PAGES.flatMap(blocksIn);

const written =
  (language: string, code: RegExp, page = /./) =>
  (block: Block): boolean =>
    block.language === language && code.test(block.code) && page.test(block.page);

/**
 * The kinds of blocks. Each block has exactly one kind, and for every kind except `output` a test runs its
 * blocks: `test/docs/blocks.test.ts` fails for a block without a kind and for a kind that no test runs.
 */
const KINDS = {
  // Commands of the README and related pages: test/docs/blocks.test.ts.
  suite: written("sh", /^npm ci\b[\s\S]*npm test|^npm test$/m),
  partOfSuite: written("sh", /npx vitest run/),
  benchmark: written("sh", /^npm run bench -- \w+$/m),
  // test/e2e/examples.test.ts.
  examples: written("sh", /npm run examples$/m),
  // Settings files: test/docs/blocks.test.ts.
  environment: written("ini", /./),
  limitsFile: written("json", /"accounts"/),
  // Commands against a running gateway: test/e2e/pages.test.ts.
  start: written("sh", /npm start$/m, /^(?!CONTRIBUTING)/),
  stop: written("sh", /kill -TERM/),
  ask: written("sh", /^curl -(?!sN).*127\.0\.0\.1:4000/),
  events: written("sh", /^curl -sN /),
  tokens: written("sh", /^npm run --silent token(?!.*deploy\/)(?![\s\S]*kubectl)/),
  audit: written("sh", /^npm run audit /),
  exports: written("sh", /^npm run export /),
  operations: written("graphql", /./, /^(?!docs\/writes\.md)/),
  event: written("json", /"data"/),
  request: written("json", /"query"/),
  viteConfig: written("js", /from "vite"/),
  // Programs against a running gateway: test/e2e/docs.test.ts, test/e2e/client.test.ts,
  // test/e2e/clientPackage.test.ts.
  subscriptionPage: written("html", /./),
  subscriptionPrograms: written("js", /./, /^docs\/subscriptions\.md/),
  clientPrograms: written("js", /./, /^packages\/client\//),
  clientInstall: written("sh", /^npm install /, /^packages\/client\//),
  clientReact: written("tsx", /./, /^packages\/client\//),
  codegenConfig: written("ts", /CodegenConfig/, /^packages\/client\//),
  // Against the graph and the sandbox: test/resolvers/mutations/writesPage.test.ts, packages/sandbox/test/documentation.test.ts.
  writes: written("graphql", /./, /^docs\/writes\.md/),
  sandboxCommands: written("sh", /./, /^docs\/sandbox\.md/),
  sandboxPrograms: written("js", /./, /^docs\/sandbox\.md/),
  // The user of a real server: packages/replicas/test/redis/rights.test.ts.
  redisUser: written("redis", /^ACL SETUSER /),
  // Run by their programs if these are installed: test/deploy.
  alertCases: written("sh", /^promtool /),
  scrapeConfig: written("yaml", /^scrape_configs:/),
  images: written("sh", /^buildah /m),
  compose: written("sh", /^docker compose /m),
  kubernetes: written("sh", /^kubectl /m),
  systemd: written("sh", /^systemctl /m),
  // Output of commands, which is not run.
  output: written("text", /./),
} satisfies Readonly<Record<string, (block: Block) => boolean>>;

/** One of the kinds of blocks. */
export type BlockKind = keyof typeof KINDS;

/** The names of all kinds. */
export const BLOCK_KINDS = Object.keys(KINDS) as readonly BlockKind[];

/** The kinds that a block matches; exactly one if the page is correct. */
export const kindsOf = (block: Block): readonly BlockKind[] => BLOCK_KINDS.filter((kind) => KINDS[kind](block));

/** The blocks of a kind, in the pages' order. */
export const blocksOf = (kind: BlockKind): readonly Block[] => BLOCKS.filter(KINDS[kind]);

/** The code of the blocks of a kind. */
export const codeOf = (kind: BlockKind): readonly string[] => blocksOf(kind).map(({ code }) => code);
