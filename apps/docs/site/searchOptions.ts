import type { Options } from "minisearch";

/** What is found: a page, or a heading of it. `id` is its address. */
export interface SearchEntry {
  readonly id: string;
  readonly title: string;
  readonly page: string;
  readonly text: string;
}

/** How the index is made, and how the page reads it again. Words are also cut at capitals: `orderBook` is found by `book`. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ["title", "text"],
  storeFields: ["title", "page"],
  tokenize: (text) => text.split(/[^\p{L}\p{N}_]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word !== ""),
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};
