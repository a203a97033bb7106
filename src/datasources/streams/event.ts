/** A type alias, because an interface is not assignable to a record. */
export type StreamEvent<T> = {
  /** `snapshot`: the value is the whole state and replaces the former one. `update`: the value is the new or changed part. */
  readonly kind: "snapshot" | "update";
  /** The exchange's time, Unix ms. */
  readonly time: number;
  /** The connection is interrupted, or missed changes are still being read: the data may be out of date. */
  readonly stale: boolean;
  readonly value: T;
  /** The topic of the event, if the stream has several. It replaces only events of the same topic. */
  readonly about?: string;
  /** Whether the stream of this topic has ended, while those of other topics continue. */
  readonly isLast?: boolean | undefined;
  /** Position of a listener after this event, for resuming. Undefined if events need no history. */
  readonly position?: string | undefined;
  /** Set in the first event of a resuming listener: whether it got all missed events. */
  readonly resumed?: Resumed | undefined;
};

/** Whether all events after a position are included. If not, events between these times may be missing, Unix ms. */
export type Resumed =
  | { readonly isWhole: true }
  | {
      readonly isWhole: false;
      /** `null` if the position has no time. */
      readonly from: number | null;
      readonly to: number;
    };
