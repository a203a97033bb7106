/** What a listener hears. */
export interface StreamEvent<T> {
  /** `snapshot`: the value is the whole state and replaces what came before. `update`: it is what is new or changed. */
  readonly kind: "snapshot" | "update";
  /** The exchange's time, Unix ms. */
  readonly time: number;
  /** The connection is interrupted, or what it missed is still being looked up: the data may be out of date. */
  readonly stale: boolean;
  readonly value: T;
  /** Of a stream about several things: which one this is about. It replaces events about the same one alone. */
  readonly about?: string;
  /** Where a listener is that has heard it: with that it goes on later. Missing where events need no history. */
  readonly position?: string | undefined;
  /** The first event of a listener that came back with a position says whether it has what it missed. */
  readonly resumed?: Resumed | undefined;
}

/** Is everything there that came after a position? If not, something may be missing between these moments, Unix ms. */
export type Resumed =
  | { readonly isWhole: true }
  | {
      readonly isWhole: false;
      /** `null` where the position says nothing. */
      readonly from: number | null;
      readonly to: number;
    };
