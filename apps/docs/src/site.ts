import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS, type SearchEntry } from "../site/searchOptions.js";
import { CONTENTS, EXTRACTS } from "./contents.js";
import { examplesPage, filePage } from "./filePages.js";
import { extract, pageOf, type Site } from "./markdown.js";
import { addressOf, type Page } from "./page.js";
import { schemaPages } from "./schemaPages.js";

/** Additional files that are shown if a page links to them. */
const SHOWN = [".env.example", "LICENSE", "deploy/prometheus/alerts.yml", "deploy/prometheus/recording.yml", "codegen.yml"];
const EXAMPLES = "docs/examples";
const DECISIONS = "docs/decisions";
const IMAGES = "docs/images";

/** All pages of the site, from the repository at `root`. Images are those of `docs/images`, under `/docs/images/`. */
export function pagesOf(root: string): Page[] {
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const decisions = readdirSync(join(root, DECISIONS))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => ({ section: "", file: `${DECISIONS}/${name}`, path: `decisions/${basename(name, ".md")}` }));
  const written = [...CONTENTS, ...decisions];
  const addresses = new Map([
    ...written.map(({ file, path }) => [file, addressOf(path)] as const),
    ...SHOWN.map((file) => [file, addressOf(`file/${file}`)] as const),
    [EXAMPLES, addressOf("examples")] as const,
    ["schema.graphql", addressOf("schema")] as const,
  ]);
  const site: Site = (file) =>
    addresses.get(file) ?? (file.startsWith(`${IMAGES}/`) ? `/docs/${file.slice("docs/".length)}` : undefined);
  const examples = readdirSync(join(root, EXAMPLES)).map((name) => ({ name, text: read(`${EXAMPLES}/${name}`) }));
  const reference = EXTRACTS.map(({ file, heading, path, title }) => {
    const page = pageOf(extract(read(file), heading, title), { file, path, section: "Reference" }, site);
    // A link within the original page may lead to a part that was not extracted.
    const origin = addresses.get(file) ?? "";
    return {
      ...page,
      html: page.html.replaceAll(/href="(#[^"]+)"/g, (link, hash: string) =>
        page.html.includes(`id="${hash.slice(1)}"`) ? link : `href="${origin}${hash}"`,
      ),
    };
  });
  return [
    ...written.map((entry) => pageOf(read(entry.file), entry, site)),
    examplesPage(examples),
    ...schemaPages(read("schema.graphql")),
    ...reference,
    ...SHOWN.map((file) => filePage(file, read(file))),
  ];
}

/** The search index of the pages. */
export function searchIndexOf(pages: readonly Page[]): MiniSearch<SearchEntry> {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  index.addAll(pages.flatMap(entriesOf));
  return index;
}

function entriesOf(page: Page): SearchEntry[] {
  return page.entries.map(({ title, anchor, text }) => ({
    id: anchor === "" ? addressOf(page.path) : `${addressOf(page.path)}#${anchor}`,
    title,
    page: page.title,
    text,
  }));
}
