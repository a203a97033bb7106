/** The name of a field, without the suffix of an enum's text. */
const nameOf = (field: string): string => (field.endsWith("Raw") ? field.slice(0, -"Raw".length) : field);

/** Rules for merging records of one kind from answers and pushes. */
export interface MergeRules {
  /** Fields in which null means that there is no value. In every other field null means that this source does not have it. */
  readonly clearable: ReadonlySet<string>;
  /** Fields that only REST answers have. A record that was only pushed lacks them. */
  readonly restOnly: ReadonlySet<string>;
}

export type RecordOrigin = "REST" | "PUSH";

/**
 * Merges a new version of a record into the known one. Fields that its source lacks are kept, so that no field becomes null
 * because of the source.
 */
export function merged<R extends object>(held: R | undefined, incoming: R, source: RecordOrigin, rules: MergeRules): R {
  if (held === undefined) return incoming;
  const fresh = new Map<string, unknown>(Object.entries(incoming));
  const kept = Object.entries(held).filter(
    ([field, value]) => value !== null && fresh.get(field) === null && !isStatement(nameOf(field), source, rules),
  );
  return kept.length === 0 ? incoming : { ...incoming, ...Object.fromEntries(kept) };
}

/** Whether merging a version into the known one changes one of these fields. */
export function isChanged<R extends object>(
  held: R,
  incoming: R,
  source: RecordOrigin,
  rules: MergeRules,
  fields: readonly (keyof R)[],
): boolean {
  const whole = merged(held, incoming, source, rules);
  return fields.some((field) => whole[field] !== held[field]);
}

/** Whether null in this field means that there is no value. */
const isStatement = (field: string, source: RecordOrigin, { clearable, restOnly }: MergeRules): boolean =>
  clearable.has(field) && (source === "REST" || !restOnly.has(field));

export const fieldsOf = (record: object, names: ReadonlySet<string>): { readonly [field: string]: unknown } =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));

/** The terms of a strategy order are a record inside its record. */
const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);

export function isSame(one: object, other: object): boolean {
  const fields = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).every(([name, value]: [string, unknown]) => {
    const there = fields.get(name);
    return isRecord(value) && isRecord(there) ? isSame(value, there) : there === value;
  });
}
