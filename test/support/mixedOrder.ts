import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders and files whose tests mostly wait: for processes, browsers, servers and disks. */
const WAITING =
  /^test\/(?:deploy|e2e|release|tooling)\/|^packages\/(?:replicas\/test\/(?:database|history|journal|redis)|sandbox\/test\/conformance)\/|\/(?:brokenCable|deadMansSwitch|keyvStore|sharedDatabase|sqliteJournal)\.test\.ts$/;

/** The files that take longest, and their seconds. */
const LONGEST: Readonly<Record<string, number>> = {
  ...{ "test/e2e/desk/pages": 13, "test/e2e/graphiql": 8, "test/e2e/backfillKills": 20, "test/e2e/pages": 18 },
  // Most of their tests are left out otherwise.
  ...(process.env.DESK_JOURNEYS === "all" && {
    ...{ "test/e2e/desk/trust": 80, "test/e2e/desk/panelStates": 70 },
    ...{ "test/e2e/desk/journeys": 60, "test/e2e/desk/terminal": 50 },
    ...{ "test/e2e/desk/history": 40, "test/e2e/desk/pages": 40, "test/e2e/graphiql": 15 },
  }),
  ...{ "test/datasources/writes/sharedDatabase": 20, "packages/replicas/test/redis/redisRateBudgets": 17 },
  ...{ "test/deploy/compose": 30, "test/datasources/writes/journal/sqlite/sqliteJournal": 16, "test/e2e/crash": 16 },
  ...{ "test/e2e/rotation": 15, "test/e2e/withoutPackages": 11, "test/e2e/start": 11, "test/e2e/docs": 10 },
  ...{ "test/e2e/clientPackage": 12, "test/e2e/engines": 14, "test/deploy/kubernetes": 8 },
  ...{ "packages/replicas/test/redis/redisShared": 13, "packages/replicas/test/redis/exchangeLine": 10 },
  ...{ "test/deploy/alerts": 10, "test/e2e/client": 10, "test/e2e/replicas": 9, "test/deploy/board": 9 },
  ...{ "test/simulation/simulation": 20, "test/datasources/streams/live/stateMatrix": 20, "test/resolvers/edgeCalls": 12 },
  ...{ "test/datasources/writes/planOrders": 14, "test/datasources/writes/batches": 10, "test/exports/exports": 10 },
  ...{ "test/datasources/history/backfill": 10, "test/datasources/streams/channels/interleavings": 8 },
};

/** The part of the run in which files start that wait. None of them is then left to run alone at the end. */
const WAITING_PART = 0.95;

/**
 * Orders the test files. Those that wait are distributed over the time of those that compute, so that the cores are busy all the time:
 * the workers are few. Long ones start first. Files that need a worker of their own come before all, since they end the worker
 * before them.
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const paths = new Map(files.map((file) => [file, this.#path(file)]));
    const path = (file: TestSpecification): string => paths.get(file) ?? "";
    const seconds = (file: TestSpecification): number => LONGEST[path(file)] ?? 1;
    const ordered = files.toSorted((one, other) => seconds(other) - seconds(one) || (path(one) < path(other) ? -1 : 1));
    const isolated = ordered.filter(({ project }) => project.config.isolate);
    const shared = ordered.filter(({ project }) => !project.config.isolate);
    const places = new Map<TestSpecification, number>();
    /** Spreads files over a part of the run, by the time that those before them take. */
    const place = (some: readonly TestSpecification[], part: number): void => {
      const all = some.reduce((sum, file) => sum + seconds(file), 0);
      let before = 0;
      for (const file of some) {
        places.set(file, (before / all) * part);
        before += seconds(file);
      }
    };
    const waits = (file: TestSpecification): boolean => WAITING.test(`${path(file)}.test.ts`);
    place(shared.filter(waits), WAITING_PART);
    place(
      shared.filter((file) => !waits(file)),
      1,
    );
    return [...isolated, ...shared.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))];
  }

  /** Without `.test.ts`. */
  #path({ moduleId }: TestSpecification): string {
    return moduleId.slice(this.ctx.config.root.length + 1).replace(/\.test\.ts$/, "");
  }
}
