/** Numbers of answered and missed reads of one kind. */
export interface AnswerCount<K> {
  readonly kind: K;
  readonly answered: number;
  readonly missed: number;
}

/** Numbers of answered and missed reads by kind. */
export class AnswerCounts<K> {
  readonly #counts = new Map<K, { answered: number; missed: number }>();

  get all(): readonly AnswerCount<K>[] {
    return [...this.#counts].map(([kind, counts]) => ({ kind, ...counts }));
  }

  add(kind: K, isAnswered: boolean): void {
    const counts = this.#counts.get(kind) ?? { answered: 0, missed: 0 };
    this.#counts.set(kind, counts);
    if (isAnswered) counts.answered++;
    else counts.missed++;
  }
}
