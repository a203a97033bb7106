import type { Options } from "minisearch";

/** A search result: a page, or a heading of it. `id` is its address. */
export interface SearchEntry {
  readonly id: string;
  readonly title: string;
  readonly page: string;
  readonly text: string;
}

/** Options for building and reading the index. Words are also split at capitals: `orderBook` is found by `book`. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ["title", "text"],
  storeFields: ["title", "page"],
  tokenize: (text) => text.split(/[^\p{L}\p{N}_]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word !== ""),
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};
