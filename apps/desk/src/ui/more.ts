/** The rows of a list beyond those that are loaded. */
export interface More {
  readonly isThere: boolean;
  readonly isBusy: boolean;
  load(): void;
}
