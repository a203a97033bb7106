import { addressOf, escapeHtml, type Page } from "./page.js";

/** Addresses of the assets, with a hash of their content in the name. */
export interface Assets {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
}

/** A page as a whole document. `all` are the pages of the navigation. */
export function documentOf(page: Page, all: readonly Page[], { style, script, icon }: Assets): string {
  const sections = [...new Set(all.map(({ section }) => section))].filter((section) => section !== "");
  const links = sections.map((section) => {
    const items = all
      .filter((one) => one.section === section)
      .map(({ path, title }) => {
        const current = path === page.path || (path === "schema" && page.path.startsWith("schema/"));
        return `<li><a href="${addressOf(path)}"${current ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a></li>`;
      });
    return `<h2>${section}</h2><ul>${items.join("")}</ul>`;
  });
  const beside = page.headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.path === "" ? "exchange-graph" : `${page.title} · exchange-graph`)}</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="name" href="${addressOf("")}">exchange-graph</a>
<search><input type="search" id="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><ol id="found" role="listbox" aria-label="Found" hidden></ol></search>
<a href="/graphiql">GraphiQL</a>
<button type="button" id="theme" aria-label="Change between light and dark">◐</button>
</header>
<div class="columns">
<nav aria-label="Pages"><details id="pages"><summary>Pages</summary>${links.join("")}</details></nav>
<main id="content" tabindex="-1">${page.html}</main>
${beside === "" ? "" : `<aside aria-label="On this page"><h2>On this page</h2><ul>${beside}</ul></aside>`}
</div>
</body>
</html>
`;
}
