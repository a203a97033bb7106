/** One page of the site. */
export interface Page {
  /** Below `/docs/`, without an ending: `writes`, `schema/Order`; empty for the first page. */
  readonly path: string;
  readonly title: string;
  /** Its section in the navigation. */
  readonly section: string;
  readonly html: string;
  /** Its second-level headings, for the table of contents. */
  readonly headings: readonly { readonly id: string; readonly text: string }[];
  /** Its entries in the search index: one per heading, including that of the page. */
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly title: string;
  /** The id of the heading; empty for the page itself. */
  readonly anchor: string;
  readonly text: string;
}

/** The address of a page on the gateway. */
export const addressOf = (path: string): string => (path === "" ? "/docs/" : `/docs/${path}`);

/** Escapes text for element content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** An id of a heading's text, as on GitHub, so that links between the pages work on both. */
export const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
