export interface Listener {
  send(frame: string | Buffer): void;
  /** Suppresses everything that is sent from now on; the connection stays open. */
  silence(): void;
  /** Resets the connection without a close frame. */
  drop(): void;
}
