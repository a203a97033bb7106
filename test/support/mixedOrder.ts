import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders and files whose tests mostly wait: for processes, browsers, servers and disks. */
const WAITING =
  /^test\/(?:deploy|e2e|release|tooling)\/|^packages\/(?:replicas\/test\/(?:database|history|journal|redis)|sandbox\/test\/conformance)\/|\/(?:brokenCable|deadMansSwitch|keyvStore|sharedDatabase|sqliteJournal)\.test\.ts$/;

/** The files that take longest, in the order in which they start. */
const LONGEST = [
  ...["test/e2e/desk/trust", "test/e2e/desk/panelStates", "test/e2e/desk/journeys", "test/e2e/desk/terminal"],
  ...["test/e2e/desk/history", "test/e2e/desk/pages", "test/e2e/backfillKills", "test/e2e/pages", "test/deploy/compose"],
  ...["test/datasources/writes/journal/sqlite/sqliteJournal", "test/e2e/crash", "test/datasources/writes/sharedDatabase"],
  ...["packages/replicas/test/redis/redisRateBudgets", "test/deploy/badDay", "test/e2e/engines"],
  ...["test/simulation/simulation", "test/datasources/streams/live/stateMatrix", "test/resolvers/edgeCalls"],
  ...["test/datasources/reads/dashboards", "test/datasources/writes/planOrders"],
];

/** The part of the run in which files start that wait. None of them is then left to run alone at the end. */
const WAITING_PART = 0.85;

/**
 * Orders the test files. Those that wait are distributed evenly among those that compute, so that the cores are busy all the time: the
 * workers are few. Long ones start first. Files that need a worker of their own come before all, since they end the worker
 * before them.
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const paths = new Map(files.map((file) => [file, this.#path(file)]));
    const path = (file: TestSpecification): string => paths.get(file) ?? "";
    const rank = (file: TestSpecification): number => {
      const at = LONGEST.indexOf(path(file).replace(/\.test\.ts$/, ""));
      return at < 0 ? LONGEST.length : at;
    };
    const ordered = files.toSorted((one, other) => rank(one) - rank(other) || (path(one) < path(other) ? -1 : 1));
    const isolated = ordered.filter(({ project }) => project.config.isolate);
    const shared = ordered.filter(({ project }) => !project.config.isolate);
    const waiting = shared.filter((file) => WAITING.test(path(file)));
    const computing = shared.filter((file) => !WAITING.test(path(file)));
    const places = new Map<TestSpecification, number>();
    for (const [at, file] of waiting.entries()) places.set(file, (at / waiting.length) * WAITING_PART);
    for (const [at, file] of computing.entries()) places.set(file, (at + 0.5) / computing.length);
    return [...isolated, ...shared.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))];
  }

  #path({ moduleId }: TestSpecification): string {
    return moduleId.slice(this.ctx.config.root.length + 1);
  }
}
