import { parseArgs } from "node:util";
import { systemClock } from "@exchange-graph/contract/clock";
import { EXPORT_FORMATS, isWritable } from "../exports/fileFormat.js";
import { EXPORT_KINDS, INTERVALS, isOneOf } from "../exports/table.js";
import { exportInto } from "./exportFiles.js";
import type { ExportPlan } from "./exportState.js";
import { heldOpen } from "./heldOpen.js";

const USAGE = `npm run export -- --account main --from 2026-11-01 [--to 2026-11-30] --out DIR
  [--format csv|jsonl] [--profile koinly] [--kinds ${EXPORT_KINDS.join(",")}] [--interval MINUTE|HOUR|DAY]
The gateway is at GATEWAY_URL (default http://127.0.0.1:4000); GATEWAY_TOKEN is a token with read:account.`;

class Usage extends Error {}

/** Reads the arguments. Throws `Usage`. */
function planOf(): { readonly plan: ExportPlan; readonly out: string } {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      ...{ account: text, from: text, to: text, out: text, format: text, profile: text, kinds: text },
      interval: { ...text, default: "HOUR" },
    },
  });
  const { account, from, to, out, interval, profile } = values;
  if (account === undefined || from === undefined || out === undefined)
    throw new Usage("--account, --from and --out are required");
  if (profile !== undefined && profile !== "koinly") throw new Usage("--profile must be koinly");
  if (profile !== undefined && values.format !== undefined && values.format !== "csv")
    throw new Usage("--profile is a kind of CSV");
  const format = profile ?? values.format ?? "csv";
  if (!isOneOf(EXPORT_FORMATS, format)) throw new Usage(`--format must be one of ${EXPORT_FORMATS.join(", ")}`);
  if (!isOneOf(INTERVALS, interval)) throw new Usage(`--interval must be one of ${INTERVALS.join(", ")}`);
  const usual = EXPORT_KINDS.filter((kind) => isWritable(kind, format));
  const kinds = (values.kinds?.split(",") ?? usual).map((kind) => {
    if (isOneOf(usual, kind)) return kind;
    throw new Usage(`--kinds must be of ${usual.join(", ")}`);
  });
  return { plan: { account, from, to: to ?? null, format, interval, kinds: [...new Set(kinds)] }, out };
}

/** `npm run export`: exports an account's data through a running gateway into a folder. */
async function main(): Promise<void> {
  const { plan, out } = planOf();
  // biome-ignore lint/style/noProcessEnv: a command of its own, which reads its environment once
  const { GATEWAY_URL: url = "http://127.0.0.1:4000", GATEWAY_TOKEN: token } = process.env;
  if (!URL.canParse(url)) throw new Usage("GATEWAY_URL must be an address such as https://gateway.example.com");
  const manifest = await exportInto(out, plan, {
    gateway: { url, token },
    clock: systemClock,
    retrying: (kind, ms) => process.stderr.write(`${kind}: ${url} does not serve; trying again in ${ms / 1_000} s\n`),
    progress: (kind, { rows, last }) => process.stderr.write(`${kind}: ${rows} rows, up to ${last?.time ?? ""}\n`),
  });
  process.stdout.write(`${manifest}\n`);
}

heldOpen(main).catch((error: unknown) => {
  if (!(error instanceof Error)) throw error;
  const isUsage = error instanceof Usage || ("code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
  process.stderr.write(`${error.message}\n${isUsage ? `${USAGE}\n` : ""}`);
  process.exitCode = isUsage ? 2 : 1;
});
