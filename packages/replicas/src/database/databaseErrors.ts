/** The database cannot be used now. The message contains neither address nor password, nor written data. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** Whether the same statement may succeed later without an operator's action. */
  readonly mayPass: boolean;
  /** Whether the statement was sent; then it may be executed although it was not answered. */
  readonly wasSent: boolean;

  constructor(
    why: string,
    {
      mayPass = true,
      wasSent = false,
      cause,
    }: { readonly mayPass?: boolean; readonly wasSent?: boolean; readonly cause?: unknown } = {},
  ) {
    super(why, { cause });
    this.mayPass = mayPass;
    this.wasSent = wasSent;
  }
}

/** Messages for the classes of SQLSTATE codes (their first two characters) that an operator can act on. */
const CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "08": "the connection to the database broke",
    "25": "the database accepts no writes: it is a standby, or read-only",
    "28": "the database refuses the user or the password",
    "3D": "there is no such database",
    "42": "the database refuses a statement: its user lacks a right, or its tables were changed",
    "53": "the database has no disk space, memory or connections left",
    "55": "the database is busy: a lock was not free in time",
    "57": "the database is being stopped or started, or did not answer in time",
    "58": "the database's disk fails",
  }),
);
/** Classes that do not pass by waiting. */
const LASTING = new Set(["28", "3D", "42"]);

export function unavailable(error: unknown, wasSent: boolean): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error;
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  const found = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E") ? code.slice(0, 2) : undefined;
  if (found === undefined && code !== undefined)
    return new DatabaseUnavailable(`the database cannot be reached (${code})`, { wasSent, cause: error });
  if (found === undefined) return new DatabaseUnavailable("the database does not answer", { wasSent, cause: error });
  const why = CLASSES.get(found) ?? "the database refuses a statement";
  return new DatabaseUnavailable(`${why} (${code})`, { mayPass: !LASTING.has(found), wasSent, cause: error });
}
