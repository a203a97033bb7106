/**
 * Rendezvous hashing: a key belongs to the node with the highest weight for it. When a node leaves, only its keys move; when a
 * node joins, it takes an equal share from each of the others. No table is needed.
 */
export class Rendezvous {
  readonly #seeds: Uint32Array;

  constructor(readonly nodes: readonly string[]) {
    this.#seeds = Uint32Array.from(nodes, hash);
  }

  /** The index of the node that owns the key, of the nodes that can take it; -1 if none can. */
  owner(key: string, canTake: (node: number) => boolean = () => true): number {
    const digest = hash(key);
    let [best, highest] = [-1, -1];
    for (let at = 0; at < this.#seeds.length; at++) {
      if (!canTake(at)) continue;
      const weight = mix(digest ^ (this.#seeds[at] ?? 0));
      if (weight > highest) [best, highest] = [at, weight];
    }
    return best;
  }
}

/** 32-bit FNV-1a over the UTF-16 code units, followed by `mix`. */
function hash(text: string): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return mix(digest);
}

/** The finalizer of MurmurHash3: every input bit affects every output bit. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
