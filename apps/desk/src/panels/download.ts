/** A kind of data, a range of time in UTC, and a format. */
export interface ExportChoice {
  readonly account: string;
  readonly kind: string;
  readonly format: string;
  /** Days, both included, as `2026-11-01`. */
  readonly from: string;
  readonly to: string;
}

/** How far a download is. */
export interface Progress {
  readonly rows: number;
  /** Share of the range, from 0 to 1. Rows come in the order of time. */
  readonly share: number;
  /** The range begins here, in ISO 8601: later than chosen, if the exchange does not keep what was before. */
  readonly from: string;
}

/** The gateway refuses the export, with its reason. */
export class ExportRefused extends Error {}

/** The time at the beginning of a line, in any of the formats. */
const TIME = /(?:^|\n)(?:\{"time":")?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/g;

/** Rejects with `ExportRefused`, or with an error of `fetch` if the file is cut off. */
export async function download(
  { account, kind, format, from, to }: ExportChoice,
  { token, signal, onProgress }: { token: string; signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<Blob> {
  const query = new URLSearchParams({ account, kind, format, from, to });
  const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`/export?${query}`, { headers, signal });
  if (!response.ok) throw new ExportRefused(await reasonOf(response));
  const start = response.headers.get("x-export-from") ?? "";
  const [first, last] = [start, response.headers.get("x-export-to") ?? ""].map(Date.parse);
  const parts: BlobPart[] = [];
  const text = new TextDecoder();
  let rows = format === "jsonl" ? 0 : -1;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    parts.push(read.value);
    const part = text.decode(read.value, { stream: true });
    rows += part.split("\n").length - 1;
    const [, day, clock] = [...part.matchAll(TIME)].at(-1) ?? [];
    if (day === undefined || first === undefined || last === undefined) continue;
    const share = (Date.parse(`${day}T${clock}Z`) - first) / Math.max(1, last - first);
    onProgress({ rows, share: Math.min(1, Math.max(0, share)), from: start });
  }
  onProgress({ rows: Math.max(0, rows), share: 1, from: start });
  return new Blob(parts, { type: response.headers.get("content-type") ?? "text/plain" });
}

async function reasonOf(response: Response): Promise<string> {
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const answer: unknown = isJson ? await response.json() : undefined;
  const errors: unknown = typeof answer === "object" && answer !== null && "errors" in answer ? answer.errors : undefined;
  const error: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const message: unknown = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return typeof message === "string" ? message : String(response.status);
}
