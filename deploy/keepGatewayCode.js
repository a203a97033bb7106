import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheCode } from "./codeCache.js";

// `npm run build:code`: writes V8's code cache of the bundled gateway after it has started and answered GraphiQL's first query,
// over the embedded sandbox. Does nothing if the bundle has a current code cache, or if the pages that a gateway serves are not
// built.
const FOLDER = "bundle";

/** Written last. A code cache is valid for one version of Node. */
const MADE_WITH = join(FOLDER, "nodeVersion");
const isMade = () =>
  existsSync(MADE_WITH) &&
  readFileSync(MADE_WITH, "utf8") === process.version &&
  statSync(MADE_WITH).mtimeMs >= statSync(join(FOLDER, "made")).mtimeMs;

async function answerFirstQuery(address) {
  const body = JSON.stringify({ query: await readFile("apps/graphiql/firstQuery.graphql", "utf8") });
  const answer = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await answer.text();
  if (text.includes('"errors"')) throw new Error(`the bundled gateway answered with errors: ${text}`);
}

const missing = ["graphiql", "desk", "docs"].filter((page) => !existsSync(join("apps", page, "dist")));
if (missing.length > 0) process.stdout.write(`no code cache written: ${missing.join(" and ")} not built\n`);
else if (!isMade()) {
  await cacheCode(
    join(FOLDER, "main.js"),
    // Other work of the build must not make it refuse the query.
    { PORT: "0", JOURNAL_PATH: ":memory:", MAX_LOOP_DELAY_READS_MS: "60000", MAX_LOOP_DELAY_WRITES_MS: "60000" },
    { ready: /^GraphiQL on (\S+)\/graphiql/m, use: answerFirstQuery },
  );
  writeFileSync(MADE_WITH, process.version);
}
