/** One page of the site. */
export interface Page {
  /** Below `/docs/`, without an ending: `writes`, `schema/Order`; empty for the first page. */
  readonly path: string;
  readonly title: string;
  /** The heading in the navigation under which it stands. */
  readonly section: string;
  readonly html: string;
  /** Its second-level headings, for the column beside it. */
  readonly headings: readonly { readonly id: string; readonly text: string }[];
  /** What the search finds in it: one entry per heading, the page's own among them. */
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

/** Text as it may stand between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** An id from a heading's text, as GitHub makes it, so that links between the pages hold on both. */
export const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
