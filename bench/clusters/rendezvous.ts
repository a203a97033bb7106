/**
 * Rendezvous hashing: every key goes to the node with the highest weight for it. A node that leaves gives up its own keys
 * alone, and a node that joins takes an equal part from each of the others; nobody keeps a table.
 */
export class Rendezvous {
  readonly #seeds: Uint32Array;

  constructor(readonly nodes: readonly string[]) {
    this.#seeds = Uint32Array.from(nodes, hash);
  }

  /** The index of the node that owns the key, of those that can take it; -1 where none can. */
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

/** FNV-1a over the UTF-16 units, 32 bits, mixed. */
function hash(text: string): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return mix(digest);
}

/** The finalizer of MurmurHash3: every bit of the input moves every bit of the output. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
