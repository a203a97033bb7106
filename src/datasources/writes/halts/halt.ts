import { z } from "zod";

/** A halt of trading, for one user of the exchange or for all. */
export interface Halt {
  /** The user, or its placeholder while it is not known; null: all users, including those of accounts configured later. */
  readonly user: string | null;
  /** Name of the user's account at that time; null: all accounts. */
  readonly account: string | null;
  /** When it began, by the exchange's clock, Unix ms. */
  readonly since: number;
  /** Name of the client that ordered it; null for a client without a name. */
  readonly by: string | null;
  readonly reason: string | null;
  /** Whether orders that can add risk are being cancelled. If the process ends meanwhile, the next one continues. */
  readonly cancelsOpen?: boolean | undefined;
}

/** Makes a new list of halts of a list. Halts that stay are the same objects. */
export type HaltEdit = (halts: readonly Halt[]) => readonly Halt[];

/** Store of halts. Several processes may share it. */
export interface HaltStore {
  /** Whether what is stored survives the process. */
  readonly isDurable: boolean;
  /** Throws an `Error` that names the place if it cannot be read. */
  read(): readonly Halt[];
  /** Edits what is stored, atomically. Resolves when that is done and the follower has taken it over. */
  change(edit: HaltEdit): Promise<void>;
  /** Called once, with what has to know the stored halts, also those of other processes. */
  follow(halts: FollowedHalts): void;
}

export interface FollowedHalts {
  takeOver(stored: readonly Halt[]): void;
  /** Stores changes that could not be stored before. */
  retry(): void;
}

/** What stores keep of a halt besides its user. */
export const haltFields = {
  account: z.string().nullable(),
  since: z.int(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
  cancelsOpen: z.boolean().optional(),
};
