import { extname } from "node:path";
import { highlighted } from "./markdown.js";
import { escapeHtml, type Page } from "./page.js";

const LANGUAGES: Readonly<Record<string, string>> = { ".graphql": "graphql", ".js": "js", ".yml": "yaml", ".yaml": "yaml" };

/** A linked file of the repository, shown unchanged. */
export function filePage(file: string, text: string): Page {
  return {
    path: `file/${file}`,
    title: file,
    section: "",
    html: `<h1>${escapeHtml(file)}</h1>\n<pre tabindex="0"><code>${highlighted(text, LANGUAGES[extname(file)] ?? "")}</code></pre>`,
    headings: [],
    entries: [{ title: file, anchor: "", text }],
  };
}

/** Several files on one page, each under its own heading. */
export function examplesPage(files: readonly { readonly name: string; readonly text: string }[]): Page {
  const parts = files.map(({ name, text }) => ({
    id: name,
    text: name.replace(".graphql", "").replaceAll("-", " "),
    code: text,
  }));
  return {
    path: "examples",
    title: "Examples",
    section: "Use",
    html: `<h1>Examples</h1>\n<p>Operations that can be pasted into GraphiQL as they stand. The tests run each of them.</p>\n${parts
      .map(
        ({ id, text, code }) =>
          `<h2 id="${id}">${text}</h2>\n<pre tabindex="0"><code>${highlighted(code, "graphql")}</code></pre>`,
      )
      .join("\n")}`,
    headings: parts.map(({ id, text }) => ({ id, text })),
    entries: [
      { title: "Examples", anchor: "", text: "" },
      ...parts.map(({ id, text, code }) => ({ title: text, anchor: id, text: code })),
    ],
  };
}
