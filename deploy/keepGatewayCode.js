import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheCode } from "./codeCache.js";

// `npm run build:code`: keeps the code that V8 makes of the bundled gateway while it starts and answers the query that GraphiQL begins
// with, over the embedded sandbox. Nothing is done where the bundle has its code, and none is kept without the pages that a gateway serves.
const FOLDER = "bundle";

/** Written last: the code is for one version of Node. */
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
  if (text.includes('"errors"')) throw new Error(`the bundled gateway does not answer: ${text}`);
}

const missing = ["graphiql", "desk", "docs"].filter((page) => !existsSync(join("apps", page, "dist")));
if (missing.length > 0) process.stdout.write(`no code is kept: ${missing.join(" and ")} not built\n`);
else if (!isMade()) {
  await cacheCode(
    join(FOLDER, "main.js"),
    { PORT: "0", JOURNAL_PATH: ":memory:" },
    { ready: /^GraphiQL on (\S+)\/graphiql/m, use: answerFirstQuery },
  );
  writeFileSync(MADE_WITH, process.version);
}
