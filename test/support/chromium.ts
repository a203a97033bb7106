import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
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
  // A page that needs another host fails here as on a closed network.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** Path of Chromium: `CHROMIUM_PATH`, else the first known name found in `PATH`; `undefined` if there is none. */
export function chromiumPath(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  if (env.CHROMIUM_PATH !== undefined) return existsSync(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const folders = (env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** Reason why browser tests are skipped, and how to enable them. */
export const NO_CHROMIUM = "Chromium was not found. On Debian: apt-get install chromium. Elsewhere: set CHROMIUM_PATH";

interface Fixtures {
  readonly executablePath: string | undefined;
  readonly browser: Browser | undefined;
  readonly page: Page;
}

/** A worker reloads this module for each of its files but keeps globals. */
const worker: typeof globalThis & { chromium?: Promise<Browser> } = globalThis;

/** This worker's Chromium, which is closed when the worker ends. */
function sharedChromium(executablePath: string): Promise<Browser> {
  worker.chromium ??= chromium.launch({ executablePath, args: FLAGS }).then((browser) =>
    browser.once("disconnected", () => {
      delete worker.chromium;
    }),
  );
  return worker.chromium;
}

/**
 * A test with a `page` in headless Chromium with a new, empty profile; the tests of a worker share the
 * Chromium. Without Chromium the test is skipped, and the end of the run reports it.
 */
export const browserTest = test.extend<Fixtures>({
  executablePath: [chromiumPath(), { scope: "worker" }],
  browser: [
    async ({ executablePath }, use) => {
      await use(executablePath === undefined ? undefined : await sharedChromium(executablePath));
    },
    { scope: "worker" },
  ],
  page: async ({ browser, skip }, use) => {
    if (browser === undefined) return skip(NO_CHROMIUM);
    // Requests of a page that has a service worker are not all reported, and not all routed.
    const profile = await browser.newContext({ serviceWorkers: "block" });
    try {
      const page = await profile.newPage();
      await use(page);
      // A test may end while a handler of it still reads an answer, which fails when the profile is closed.
      await page.unrouteAll({ behavior: "ignoreErrors" });
    } finally {
      await profile.close();
    }
  },
});
