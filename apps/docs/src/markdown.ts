import { posix } from "node:path";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import graphql from "highlight.js/lib/languages/graphql";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import MarkdownIt, { type Token } from "markdown-it";
import { escapeHtml, idOf, type Page } from "./page.js";

hljs.registerLanguage("sh", bash);
hljs.registerLanguage("graphql", graphql);
hljs.registerLanguage("js", javascript);
hljs.registerLanguage("json", json);
hljs.registerLanguage("ts", typescript);
hljs.registerLanguage("yaml", yaml);

/** The address of a repository file on the site; undefined if the site does not have it. */
export type Site = (file: string) => string | undefined;

/** Highlighted code as markup; plain for unknown languages. */
export const highlighted = (code: string, language: string): string =>
  hljs.getLanguage(language) === undefined ? escapeHtml(code) : hljs.highlight(code, { language }).value;

/** A Markdown file as a page. Links to other files become links within the site. */
export function pageOf(
  text: string,
  { file, path, section, title }: { file: string; path: string; section: string; title?: string },
  site: Site,
): Page {
  // HTML comments in our pages mark generated parts; other HTML stays text.
  const markdown = new MarkdownIt({ html: false, linkify: false, highlight: highlighted });
  const tokens = markdown.parse(text.replaceAll(/^<!--.*?-->\n/gm, ""), {});
  const unused = ids();
  const headings: Page["headings"][number][] = [];
  const first = { title: file, anchor: "", text: "" };
  const entries = [first];
  let heading: string | undefined;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") heading = token.tag;
    else if (token.type === "inline") {
      token.children = linked(token.children ?? [], file, site);
      const words = plain(token.children);
      if (heading === undefined) (entries.at(-1) ?? first).text += `${words} `;
      else if (heading === "h1") first.title = words;
      else {
        const id = unused(idOf(words));
        tokens[at - 1]?.attrSet("id", id);
        entries.push({ title: words, anchor: id, text: "" });
        if (heading === "h2") headings.push({ id, text: words });
      }
      heading = undefined;
    } else if (token.type === "fence") (entries.at(-1) ?? first).text += `${token.content} `;
    else if (token.attrGet("style") === "text-align:right") token.attrs = [["class", "figure"]]; // The policy of the page forbids styles in it.
  }
  // Wide tables and blocks scroll in their own container, which is focusable.
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll("<pre><code", '<pre tabindex="0"><code')
    // A column without a name has no header.
    .replaceAll("<th></th>", "<td></td>");
  const name = title ?? first.title;
  return { path, title: name, section, html, headings, entries: [{ ...first, title: name }, ...entries.slice(1)] };
}

/** The part of a Markdown file under one second-level heading, as a file of its own. */
export function extract(text: string, heading: string, title: string): string {
  const start = text.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`no heading "${heading}"`);
  const from = start + `\n## ${heading}\n`.length;
  const end = text.indexOf("\n## ", from);
  const body = text.slice(from, end < 0 ? undefined : end).replaceAll(/^###/gm, "##");
  return `# ${title}\n${body}`;
}

/** Makes unique ids: the second of two equal headings gets a number. */
function ids(): (id: string) => string {
  const seen = new Map<string, number>();
  return (id) => {
    const times = seen.get(id) ?? 0;
    seen.set(id, times + 1);
    return times === 0 ? id : `${id}-${times}`;
  };
}

const plain = (tokens: readonly { readonly type: string; readonly content: string }[]): string =>
  tokens.map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");

/** The same with links of the site. A link without a page becomes plain text. */
function linked(tokens: readonly Token[], file: string, site: Site): Token[] {
  const open: boolean[] = [];
  return tokens.filter((token) => {
    if (token.type === "link_close") return open.pop() ?? true;
    const attribute = token.type === "link_open" ? "href" : token.type === "image" ? "src" : undefined;
    if (attribute === undefined) return true;
    const address = resolved(String(token.attrGet(attribute) ?? ""), file, site);
    if (address !== undefined) token.attrSet(attribute, address);
    if (token.type === "link_open") open.push(address !== undefined);
    return address !== undefined;
  });
}

function resolved(href: string, file: string, site: Site): string | undefined {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [target = "", anchor] = href.split("#");
  const address = site(posix.normalize(posix.join(posix.dirname(file), target)).replace(/\/$/, ""));
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`;
}
