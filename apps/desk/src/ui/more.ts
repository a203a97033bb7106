/** The rest of a list that has more rows than are shown. */
export interface More {
  readonly isThere: boolean;
  readonly isBusy: boolean;
  load(): void;
}
