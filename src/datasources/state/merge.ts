/** A field, without the text that stands beside an enum value. */
const nameOf = (field: string): string => (field.endsWith("Raw") ? field.slice(0, -"Raw".length) : field);

/** How records of one kind are put together from answers and pushes. */
export interface MergeRules {
  /** Fields in which null says that there is nothing. In every other field null says that this source does not know. */
  readonly clearable: ReadonlySet<string>;
  /** Fields that only an answer over REST says. A record that was pushed alone lacks them. */
  readonly restOnly: ReadonlySet<string>;
}

/** Where news of a record come from. */
export type NewsSource = "REST" | "PUSH";

/**
 * The record as the news have it. What they leave out stays as it was known, so that no field turns null because of
 * where the news came from.
 */
export function merged<R extends object>(known: R | undefined, news: R, source: NewsSource, rules: MergeRules): R {
  if (known === undefined) return news;
  const fresh = new Map<string, unknown>(Object.entries(news));
  const kept = Object.entries(known).filter(
    ([field, value]) => value !== null && fresh.get(field) === null && !isStatement(nameOf(field), source, rules),
  );
  return kept.length === 0 ? news : { ...news, ...Object.fromEntries(kept) };
}

/** Does null in this field say something? */
const isStatement = (field: string, source: NewsSource, { clearable, restOnly }: MergeRules): boolean =>
  clearable.has(field) && (source === "REST" || !restOnly.has(field));

export const fieldsOf = (record: object, names: ReadonlySet<string>): { readonly [field: string]: unknown } =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));

/** Are all fields equal? */
export function isSame(one: object, other: object): boolean {
  const fields = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).every(([name, value]) => fields.get(name) === value);
}
