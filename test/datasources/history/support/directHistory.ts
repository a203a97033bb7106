import type { Clock } from "@exchange-graph/contract/clock";
import type { HistoryStore } from "../../../../src/datasources/history/index.js";
import { SqliteStore } from "../../../../src/datasources/history/sqlite/sqliteStore.js";

/** The history's file without its thread, whose answers would take turns that simulated time does not wait for. */
export function directHistory(path: string, clock: Clock, realm = "test"): HistoryStore & { fails: boolean } {
  const store = new SqliteStore(path, realm);
  const answer = async <T>(work: () => T): Promise<T> => {
    if (history.fails) throw new Error("the disk is full");
    return work();
  };
  const history: HistoryStore & { fails: boolean } = {
    fails: false,
    hold: (holder, forMs) => answer(() => store.hold(holder, clock.now(), forMs)),
    release: (holder) => answer(() => store.release(holder)),
    write: (batch) => answer(() => store.write(batch)),
    points: (...asked) => answer(() => store.points(...asked)),
    lastPoint: (...asked) => answer(() => store.lastPoint(...asked)),
    records: (...asked) => answer(() => store.records(...asked)),
    note: (...asked) => answer(() => store.note(...asked)),
    prune: (keptFrom) => answer(() => store.prune(keptFrom)),
    close: async () => store.close(),
  };
  return history;
}
