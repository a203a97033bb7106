import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { test } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page that needs another machine fails here as it would on a closed network.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** Where Chromium is: what `CHROMIUM_PATH` names, else the first of its names in `PATH`; nothing where there is none. */
export function chromiumPath(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  if (env.CHROMIUM_PATH !== undefined) return existsSync(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const folders = (env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** Why a browser test was left out, and how to have it run. */
export const NO_CHROMIUM = "Chromium was not found. On Debian: apt-get install chromium. Elsewhere: set CHROMIUM_PATH";

/**
 * A test with a `page` in a headless Chromium of its own, started on an empty profile. Where there is no Chromium the
 * test is left out, and the run says so at its end.
 */
export const browserTest = test.extend<{ page: Page }>({
  page: async ({ skip }, use) => {
    const executablePath = chromiumPath();
    if (executablePath === undefined) return skip(NO_CHROMIUM);
    const browser = await chromium.launch({ executablePath, args: FLAGS });
    try {
      await use(await browser.newPage());
    } finally {
      await browser.close();
    }
  },
});
