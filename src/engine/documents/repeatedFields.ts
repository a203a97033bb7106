import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { fragmentsOf } from "./fragments.js";

/**
 * Maximum number of visited fields and levels, above the other limits. A document with a fragment cycle would never end;
 * validation refuses it.
 */
const MAX_LOOKED_AT = 10_000;
const MAX_LEVELS = 50;

/**
 * Number of comparisons that validation makes between fields of the same response name, in the operation or fragment with most of
 * them. It grows with the square of the repetitions, at each level.
 */
export function comparisonsIn(document: DocumentNode): number {
  const counter = new Counter(fragmentsOf(document));
  return document.definitions.reduce((most, definition) => {
    const isSelection = definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION;
    return isSelection ? Math.max(most, counter.count([definition.selectionSet])) : most;
  }, 0);
}

class Counter {
  #lookedAt = 0;

  constructor(private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>) {}

  /** Comparisons in selections that are merged into one. */
  count(sets: readonly SelectionSetNode[], levels = MAX_LEVELS): number {
    let sum = 0;
    for (const fields of this.#byName(sets).values()) {
      sum += (fields.length * (fields.length - 1)) / 2;
      const below = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0 && levels > 0 && this.#lookedAt < MAX_LOOKED_AT) sum += this.count(below, levels - 1);
    }
    return sum;
  }

  /** The fields by response name, with fragments expanded, each once. */
  #byName(sets: readonly SelectionSetNode[]): ReadonlyMap<string, readonly FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    const add = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          this.#lookedAt++;
          const name = selection.alias?.value ?? selection.name.value;
          const existing = fields.get(name);
          if (existing === undefined) fields.set(name, [selection]);
          else existing.push(selection);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
        else if (!spread.has(selection.name.value)) {
          spread.add(selection.name.value);
          const fragment = this.fragments.get(selection.name.value);
          if (fragment !== undefined) add(fragment.selectionSet);
        }
      }
    };
    for (const set of sets) add(set);
    return fields;
  }
}
