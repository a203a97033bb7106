/** What a listener hears. */
export interface StreamEvent<T> {
  /** `snapshot`: the value stands for itself and replaces what came before. `update`: it is what is new or changed. */
  readonly kind: "snapshot" | "update";
  /** The exchange's time, Unix ms. */
  readonly time: number;
  /** The connection is interrupted, or what it missed is still being looked up: the truth may have moved on. */
  readonly stale: boolean;
  readonly value: T;
  /** Of a stream about several things: which one this is about. It replaces events about the same one alone. */
  readonly about?: string;
}
