import { readFileSync } from "node:fs";

// `npm audit --omit=dev --json | node deploy/release/audit.js`: names the published vulnerabilities of the packages that are
// published with the product, without those that deploy/release/vex.openvex.json explains. With `AUDIT=fail` a severe one fails.
const { statements } = JSON.parse(readFileSync("deploy/release/vex.openvex.json", "utf8"));
const explained = new Set(statements.map(({ vulnerability }) => vulnerability.name));

/** What npm has printed; `undefined` if the registry does not answer. */
function report() {
  try {
    const read = JSON.parse(readFileSync(0, "utf8"));
    return read.auditReportVersion === undefined ? undefined : read;
  } catch {
    return undefined;
  }
}

const found = report();
if (found === undefined) process.stdout.write("npm audit: left out, because the registry does not answer it\n");
else {
  const advisories = Object.values(found.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((each) => typeof each === "object" && !explained.has(each.url?.split("/").at(-1)));
  for (const { severity, name, title, url } of advisories)
    process.stdout.write(`npm audit: ${severity}: ${name}: ${title} ${url}\n`);
  if (advisories.length === 0) process.stdout.write("npm audit: nothing is known of the packages that are published\n");
  const isSevere = advisories.some(({ severity }) => severity === "high" || severity === "critical");
  // biome-ignore lint/style/noProcessEnv: a switch of CI, not a setting of the product
  if (isSevere && process.env.AUDIT === "fail") process.exitCode = 1;
}
