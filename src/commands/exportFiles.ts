import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@exchange-graph/contract/clock";
import { z } from "zod";
import { headOf, linesOf } from "../exports/fileFormat.js";
import type { Cells, ExportKind } from "../exports/table.js";
import { type ExportPlan, type ExportState, type FileState, StateFile, writeWhole } from "./exportState.js";

interface GatewayAddress {
  readonly url: string;
  readonly token: string | undefined;
}

interface ExportParts {
  readonly gateway: GatewayAddress;
  readonly clock: Clock;
  /** Called whenever rows are on the disk. */
  readonly progress: (kind: ExportKind, file: FileState) => void;
  /** Called before each wait for a gateway that cannot be reached or cannot serve. */
  readonly retrying: (kind: ExportKind, ms: number) => void;
}

/** Number of rows after which the progress is stored. */
const ROWS = 500;
/** Waits between attempts without a new row, in ms, unless the gateway says when to try again. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 60_000, 60_000, 60_000];

const row = z.record(z.string(), z.string().nullable());
const refusal = z.object({ errors: z.tuple([z.object({ message: z.string() })]) });

/** The gateway refuses this export, and would refuse it again. */
class Refused extends Error {}

export const fileOf = (kind: ExportKind, { format }: Pick<ExportPlan, "format">): string =>
  format === "koinly" ? `${kind}.koinly.csv` : `${kind}.${format}`;

/**
 * Exports into a folder, kind by kind. Interrupted at any moment and run again with the same arguments, it goes on where it was, and
 * its files are what they would have been. Returns the path of the manifest. Throws an `Error`.
 */
export async function exportInto(folder: string, plan: ExportPlan, parts: ExportParts): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const manifest = join(folder, "manifest.json");
  if (existsSync(manifest)) throw new Error(`${manifest} exists: the folder holds a complete export. Name another folder`);
  const stateFile = new StateFile(folder);
  let state = stateFile.read(plan);
  for (const kind of plan.kinds)
    if (!state.files.some((file) => file.kind === kind && file.sha256 !== null))
      state = await exportKind(kind, state, { ...parts, folder, stateFile });
  writeWhole(manifest, `${JSON.stringify(manifestOf(state), null, 2)}\n`);
  rmSync(stateFile.path);
  return manifest;
}

/** Nothing in it depends on when, or how often, the export was run. */
const manifestOf = ({ plan, user, gateway, files }: ExportState) => ({
  ...{ account: plan.account, exchangeUser: user, gatewayVersion: gateway, format: plan.format, interval: plan.interval },
  asked: { from: plan.from, to: plan.to },
  files: files.map(({ kind, from, to, listedFrom, bytes, rows, sha256 }) => ({
    ...{ kind, file: fileOf(kind, plan), from, to, rows, bytes, sha256 },
    // Ranges that the exchange no longer keeps, and the part of them that the gateway has recorded.
    notKept: rangeOf(new Date(plan.from).toISOString(), listedFrom),
    recorded: rangeOf(from, listedFrom),
  })),
});

const rangeOf = (from: string, to: string) => (from < to ? { from, to } : null);

/** Exports one kind. Returns the state with its complete file. */
async function exportKind(
  kind: ExportKind,
  before: ExportState,
  {
    gateway,
    clock,
    progress,
    retrying,
    folder,
    stateFile,
  }: ExportParts & { readonly folder: string; readonly stateFile: StateFile },
): Promise<ExportState> {
  const { plan } = before;
  const path = join(folder, fileOf(kind, plan));
  const part = `${path}.part`;
  let state = before;
  const own = (): FileState | undefined => state.files.find((file) => file.kind === kind);
  const handle = await open(part, "a+", 0o600);
  const note = (file: FileState, of: Partial<ExportState> = {}): void => {
    state = { ...state, ...of, files: [...state.files.filter((one) => one.kind !== kind), file] };
    stateFile.write(state);
  };
  try {
    await handle.truncate(own()?.bytes ?? 0);
    for (let failures = 0; ; ) {
      const rows = own()?.rows;
      const waitMs = await attempt();
      if (waitMs === undefined) break;
      failures = own()?.rows === rows ? failures + 1 : 0;
      const usual = WAITS_MS[failures];
      if (usual === undefined)
        throw new Error(`${kind}: the gateway at ${gateway.url} failed ten times; run the command again later`);
      const ms = waitMs ?? usual;
      retrying(kind, ms);
      await new Promise<void>((over) => clock.after(ms, over));
    }
  } finally {
    await handle.close();
  }
  // Written in this order, because a state without its file would be worse than a file without its state.
  const done = own();
  if (done === undefined) throw new Error(`${kind}: the gateway has sent nothing`);
  renameSync(part, path);
  note({ ...done, sha256: await sha256Of(path) });
  return state;

  /**
   * Requests the missing rows. Undefined if the file is complete now; otherwise the wait before the next attempt, null for the
   * usual one.
   */
  async function attempt(): Promise<number | null | undefined> {
    const file = own();
    const response = await ask(gateway, { ...plan, to: state.to, kind, file }).catch(ifUnreachable);
    if (response === undefined) return null;
    const retryAfter = response.headers.get("retry-after");
    if (response.status === 429 || response.status >= 500)
      return retryAfter === null ? null : Number.parseInt(retryAfter, 10) * 1_000;
    if (!response.ok) throw new Refused(await reasonOf(response));
    const head = headOfAnswer(response);
    check("exchange user", state.user, head.user);
    check("version", state.gateway, head.gateway);
    const last = file?.last ?? null;
    if (last !== null && head.from > last.time)
      throw new Error(
        `${kind}: rows before ${head.from} are no longer kept, and this folder lacks some of them: export into another folder`,
      );
    const begun = file ?? (await begin(head));
    return (await take(response, begun, head)) ? undefined : null;
  }

  async function begin({ from, to, listedFrom, ...of }: Head): Promise<FileState> {
    const text = headOf(kind, plan.format);
    await append(handle, text);
    const file = { kind, from, to, listedFrom, bytes: Buffer.byteLength(text), rows: 0, last: null, sha256: null };
    note(file, { ...of, to });
    return file;
  }

  /** Writes the rows of an answer; false if it ended too early. */
  async function take(response: Response, begun: FileState, head: Head): Promise<boolean> {
    // Nothing was written yet, so the range begins where rows are still kept.
    let file = begun.last === null ? { ...begun, from: head.from, listedFrom: head.listedFrom } : begun;
    // The exchange has dropped further rows: the next ones are recorded ones.
    if (file.last !== null && head.listedFrom > file.last.time) file = { ...file, listedFrom: head.listedFrom };
    let waiting: Cells[] = [];
    const flush = async (): Promise<void> => {
      if (waiting.length === 0) return;
      const text = linesOf(kind, plan.format, waiting);
      await append(handle, text);
      file = {
        ...file,
        bytes: file.bytes + Buffer.byteLength(text),
        rows: file.rows + waiting.length,
        last: waiting.reduce(lastOf, file.last),
      };
      waiting = [];
      note(file);
      progress(kind, file);
    };
    try {
      for await (const line of linesIn(response)) {
        waiting.push(row.parse(JSON.parse(line)));
        if (waiting.length === ROWS) await flush();
      }
      await flush();
      return true;
    } catch (error) {
      if (!isBroken(error)) throw error;
      await flush();
      return false;
    }
  }

  function check(what: string, known: string | null, now: string): void {
    if (known !== null && known !== now)
      throw new Error(`the ${what} was ${known} when the export began, and is ${now} now: export into another folder`);
  }
}

/** The headers of an answer about its rows. */
interface Head {
  readonly from: string;
  readonly listedFrom: string;
  readonly to: string;
  readonly user: string;
  readonly gateway: string;
}

function headOfAnswer({ headers }: Response): Head {
  const one = (name: string): string => {
    const value = headers.get(name);
    if (value === null) throw new Error(`the answer lacks ${name}: GATEWAY_URL must be the address of a gateway`);
    return value;
  };
  return {
    ...{ from: one("x-export-from"), to: one("x-export-to"), listedFrom: one("x-export-listed-from") },
    ...{ user: one("x-export-user"), gateway: one("x-export-version") },
  };
}

/** Requests the rows of a kind from the end of the file on, as JSON lines; this command writes them in the requested format. */
function ask(
  { url, token }: GatewayAddress,
  { account, kind, from, to, interval, file }: ExportPlan & { readonly kind: ExportKind; readonly file: FileState | undefined },
): Promise<Response> {
  const address = new URL("/export", url);
  const { time, count } = file?.last ?? { time: from, count: 0 };
  const query = { account, kind, format: "jsonl", from: time, interval, skip: String(count), ...(to !== null && { to }) };
  address.search = new URLSearchParams(query).toString();
  return fetch(address, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` }, redirect: "error" });
}

const lastOf = (last: FileState["last"], { time }: Cells): FileState["last"] =>
  time === last?.time && last !== null ? { ...last, count: last.count + 1 } : { time: time ?? "", count: 1 };

async function append(handle: FileHandle, text: string): Promise<void> {
  await handle.appendFile(text);
  await handle.datasync();
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest("hex");
}

/** The complete lines of an answer. Throws a `TypeError` if its end is missing. */
async function* linesIn({ body }: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") throw new TypeError("the answer ends within a line");
}

/** `fetch` throws a `TypeError` if there is no connection, or it broke. */
const isBroken = (error: unknown): boolean => error instanceof TypeError;

function ifUnreachable(error: unknown): undefined {
  if (!isBroken(error)) throw error;
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { data } = refusal.safeParse(JSON.parse(text));
    if (data !== undefined) return data.errors[0].message;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return `status ${response.status}`;
}
