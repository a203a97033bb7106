/** Somebody who listens to topics. */
export interface Listener {
  /** Sends a text frame. */
  send(frame: string | Buffer): void;
  /** From now on nothing is sent any more, though the connection stays. */
  silence(): void;
  /** Breaks the connection without a word. */
  drop(): void;
}
