import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { MIGRATIONS } from "../../../packages/replicas/src/database/migrations.js";
import * as halts from "../../../packages/replicas/src/halts/sharedHalts.js";
import * as sql from "../../../packages/replicas/src/journal/statements.js";
import { ANONYMOUS, LEASE_MS, NEAR, REMEMBERED_ENTRIES } from "../../../src/datasources/writes/index.js";

/** The tables of the journal in PostgreSQL, and what each statement of the product does with them. */

interface Write {
  readonly seq: number;
  readonly realm: string;
  readonly owner: string;
  readonly fence: number;
  /** By the server's clock, Unix ms. */
  readonly leaseUntil: number;
  readonly user: string;
  readonly who: string | null;
  readonly key: string;
  readonly endpoint: string;
  readonly charge: string | null;
  readonly state: string;
  readonly sentAt: number;
  readonly validUntil: number;
  readonly settledAt: number | null;
  readonly [column: string]: string | number | null;
}

interface Figure {
  readonly realm: string;
  readonly day: number;
  readonly kind: string;
  readonly whose: string;
  readonly unit: string;
  used: Exact;
}

interface Halt {
  readonly user: string | null;
  readonly account: string | null;
  readonly since: number;
  readonly by: string | null;
  readonly reason: string | null;
  readonly cancelsOpen: boolean;
}

interface Right {
  readonly owner: string;
  /** By the server's clock, Unix ms. */
  readonly until: number;
}

export class Tables {
  format = { version: 0, oldest: 0, halts: 0 };
  writes = new Map<number, Write>();
  readonly users = new Map<string, string>();
  readonly figures = new Map<string, Figure>();
  halts: readonly Halt[] = [];
  /** By realm and name. */
  readonly rights = new Map<string, Right>();

  copy(): Tables {
    const copy = new Tables();
    copy.format = { ...this.format };
    for (const [seq, write] of this.writes) copy.writes.set(seq, write);
    for (const [key, user] of this.users) copy.users.set(key, user);
    for (const [key, figure] of this.figures) copy.figures.set(key, { ...figure });
    copy.halts = this.halts;
    for (const [key, right] of this.rights) copy.rights.set(key, right);
    return copy;
  }

  /** Adds to a figure, and returns its new value. */
  book({ realm, day, kind, whose, unit, used }: Figure): Exact {
    const key = [realm, day, kind, whose, unit].join("\n");
    const figure = this.figures.get(key) ?? { realm, day, kind, whose, unit, used: ZERO };
    this.figures.set(key, figure);
    figure.used = figure.used.plus(used);
    return figure.used;
  }
}

/** What a statement runs in. */
export interface Run {
  readonly tables: Tables;
  /** The server's clock, Unix ms. */
  readonly now: number;
  /** Numbers of rows are not given back by a transaction that is rolled back. */
  readonly nextSeq: () => number;
  readonly notify: (payload: string) => void;
  /** Whether another transaction has locked this row. */
  readonly isLocked: (seq: number) => boolean;
}

export type Value = string | number | null | readonly Value[];
type Row = Readonly<Record<string, unknown>>;
type Statement = (run: Run, values: readonly Value[]) => readonly Row[];

const ZERO = exact("0");
const isOpen = ({ state }: Write): boolean => state === "SENT" || state === "UNKNOWN";
const dayIn = (at: number): number => Math.floor(at / DAY_MS);
const text = (value: Value | undefined): string => String(value);
const list = (value: Value | undefined): readonly Value[] => (Array.isArray(value) ? value : []);
const whole = (value: Value | undefined): number => Number.parseInt(text(value), 10);
const bySeq = (one: Write, other: Write): number => one.seq - other.seq;

/** Rows as the product reads them. */
const rowsOf = ({ tables }: Run, holds: (write: Write) => boolean): Write[] =>
  [...tables.writes.values()].filter(holds).sort(bySeq);

function update(run: Run, holds: (write: Write) => boolean, change: (write: Write) => Partial<Write>): Write[] {
  const changed: Write[] = [];
  for (const write of rowsOf(run, holds)) {
    const next = { ...write, ...change(write) } as Write;
    run.tables.writes.set(write.seq, next);
    changed.push(next);
  }
  return changed;
}

/** The use of an entry, by figure. */
function usesOf({ charge, user, who }: Write): readonly Pick<Figure, "kind" | "whose" | "unit" | "used">[] {
  if (charge === null) return [];
  const { coin, qty, value } = JSON.parse(charge);
  return [
    { kind: "account", whose: user },
    { kind: "client", whose: who ?? ANONYMOUS },
  ].flatMap((of) => [
    { ...of, unit: "", used: exact(value ?? "0") },
    { ...of, unit: coin, used: exact(qty) },
  ]);
}

function record({ tables, now, nextSeq }: Run, values: readonly Value[]): readonly Row[] {
  const [realm, owner, user, account, who, mutation, endpoint, key, digest, clientOid, given, charge, sentAt, validUntil, trace] =
    values;
  const [kinds = [], whose = [], units = [], adds = [], most = [], since = []] = values.slice(15).map(list);
  const none = { seq: null, halts: tables.format.halts, broken: null, used: null };
  const isTaken = (write: Write) => write.key === key && write.user === user && write.realm === realm && write.state !== "UNSENT";
  const seq = nextSeq();
  for (const write of tables.writes.values()) if (isTaken(write)) return [none];
  const day = dayIn(whole(sentAt));
  const figures = kinds.map((kind, at) => ({
    ...{ realm: text(realm), day, kind: text(kind), whose: text(whose[at]), unit: text(units[at]), used: exact(text(adds[at])) },
  }));
  for (const [at, figure] of figures.entries()) {
    const from = since[at] ?? null;
    const used = [...tables.figures.values()]
      .filter(
        (one) =>
          (from === null ? one.day === day : one.day >= whole(from) || one.day === day) &&
          one.realm === figure.realm &&
          one.kind === figure.kind &&
          one.whose === figure.whose &&
          one.unit === figure.unit,
      )
      .reduce((sum, one) => sum.plus(one.used), ZERO);
    const limit = most[at] ?? null;
    if (limit !== null && !figure.used.eq(ZERO) && used.plus(figure.used).gt(exact(text(limit))))
      return [{ ...none, broken: at + 1, used: plain(used) }];
  }
  for (const figure of figures) tables.book(figure);
  tables.writes.set(seq, {
    ...{ seq, realm: text(realm), owner: text(owner), fence: 1, leaseUntil: now + LEASE_MS, user: text(user) },
    ...{ account: text(account), who: textOrNull(who), mutation: text(mutation), endpoint: text(endpoint), key: text(key) },
    ...{ digest: text(digest), clientOid: textOrNull(clientOid), values: text(given), charge: textOrNull(charge), state: "SENT" },
    ...{ reply: null, problem: null, sentAt: whole(sentAt), validUntil: whole(validUntil), settledAt: null },
    traceparent: textOrNull(trace),
  });
  return [{ ...none, seq }];
}

const textOrNull = (value: Value | undefined): string | null => (value === null || value === undefined ? null : text(value));

function settle(run: Run, [owner, ...columns]: readonly Value[]): readonly Row[] {
  const [seqs = [], fences = [], states = [], replies = [], problems = [], settledAts = []] = columns.map(list);
  const changed = seqs.flatMap((seq, at) =>
    update(
      run,
      (write) => write.seq === seq && write.owner === owner && write.fence === fences[at] && isOpen(write),
      () => ({
        ...{ state: text(states[at]), reply: textOrNull(replies[at]), problem: textOrNull(problems[at]) },
        settledAt: settledAts[at] === null ? null : whole(settledAts[at]),
      }),
    ),
  );
  for (const write of changed) {
    if (write.state !== "REJECTED" && write.state !== "UNSENT") continue;
    for (const use of usesOf(write))
      run.tables.book({ realm: write.realm, day: dayIn(write.sentAt), ...use, used: ZERO.minus(use.used) });
  }
  if (changed.length > 0) run.notify(`settled ${changed.map(({ seq }) => seq).join(" ")}`);
  return changed.map(({ seq }) => ({ settle_writes_1: seq }));
}

function prune(run: Run, [ended, charged, open, most]: readonly Value[]): readonly Row[] {
  const last = Math.max(0, ...run.tables.writes.keys());
  const isOver = (write: Write) =>
    isOpen(write)
      ? write.sentAt < whole(open)
      : write.sentAt < whole(ended) ||
        (write.seq <= last - REMEMBERED_ENTRIES && (write.charge === null || write.sentAt < whole(charged)));
  for (const { seq } of rowsOf(run, isOver).slice(0, whole(most))) run.tables.writes.delete(seq);
  return [];
}

function adopt(run: Run, [user, standIn, realm]: readonly Value[]): readonly Row[] {
  for (const write of rowsOf(run, (one) => one.user === standIn && one.realm === realm)) {
    const hasKey = rowsOf(
      run,
      (one) => one.key === write.key && one.user === user && one.realm === realm && one.state !== "UNSENT",
    );
    if (write.state === "UNSENT" || hasKey.length === 0) run.tables.writes.set(write.seq, { ...write, user: text(user) });
  }
  return [];
}

function adoptFigures({ tables }: Run, [user, standIn, realm]: readonly Value[]): readonly Row[] {
  for (const [key, figure] of [...tables.figures]) {
    if (figure.kind !== "account" || figure.whose !== standIn || figure.realm !== realm) continue;
    tables.figures.delete(key);
    tables.book({ ...figure, whose: text(user) });
  }
  return [];
}

function figures({ tables }: Run, [realm, day, kinds, whose]: readonly Value[]): readonly Row[] {
  const sums = new Map<string, Omit<Figure, "realm" | "day">>();
  for (const figure of tables.figures.values()) {
    const { kind, unit, used } = figure;
    const isAsked = list(kinds).some((one, at) => one === kind && list(whose)[at] === figure.whose);
    if (!isAsked || figure.realm !== realm || figure.day < whole(day)) continue;
    const key = [kind, figure.whose, unit].join("\n");
    sums.set(key, { kind, whose: figure.whose, unit, used: (sums.get(key)?.used ?? ZERO).plus(used) });
  }
  return [...sums.values()].map((sum) => ({ ...sum, used: plain(sum.used) }));
}

const rightOf = (realm: Value | undefined, name: Value | undefined): string => `${text(realm)}\n${text(name)}`;

function hold({ tables, now }: Run, [realm, name, owner, forMs]: readonly Value[]): readonly Row[] {
  const held = tables.rights.get(rightOf(realm, name));
  if (held !== undefined && held.owner !== owner && held.until > now) return [];
  tables.rights.set(rightOf(realm, name), { owner: text(owner), until: now + whole(forMs) });
  return [{ ms: 0 }];
}

const inRealm = (realm: Value | undefined, holds: (write: Write) => boolean) => (write: Write) =>
  write.realm === realm && holds(write);

/** What each statement does, by its text. */
const STATEMENTS = new Map<string, Statement>([
  ["SELECT 1", () => [{ one: 1 }]],
  ["SELECT pg_advisory_xact_lock($1)", () => []],
  ["SELECT to_regclass('exchange_graph.format') IS NOT NULL AS found", ({ tables }) => [{ found: tables.format.version > 0 }]],
  ["SELECT version, oldest FROM exchange_graph.format", ({ tables }) => [tables.format]],
  ...MIGRATIONS.map((step): [string, Statement] => [
    step,
    ({ tables }) => {
      if (tables.format.version === 0) tables.format = { version: 1, oldest: 1, halts: 0 };
      return [];
    },
  ]),
  [sql.FORMAT, ({ tables }) => [tables.format]],
  [sql.RECORD, record],
  [sql.SETTLE, settle],
  [
    sql.RENEW,
    (run, [owner, seqs, fences]) =>
      update(
        run,
        (write) =>
          list(seqs).some((seq, at) => seq === write.seq && list(fences)[at] === write.fence) &&
          write.owner === owner &&
          isOpen(write),
        () => ({ leaseUntil: run.now + LEASE_MS }),
      ),
  ],
  [
    sql.ORPHANS,
    (run, [owner, realm, own, foreign]) =>
      rowsOf(
        run,
        inRealm(
          realm,
          (write) =>
            isOpen(write) &&
            write.leaseUntil < run.now &&
            !(write.owner === owner && list(own).includes(write.seq)) &&
            !list(foreign).includes(write.seq) &&
            !run.isLocked(write.seq),
        ),
      ).slice(0, sql.ORPHANS_AT_ONCE),
  ],
  [
    sql.CLAIM,
    (run, [owner, seqs]) =>
      update(
        run,
        ({ seq }) => list(seqs).includes(seq),
        ({ fence }) => ({ owner: text(owner), fence: fence + 1, leaseUntil: run.now + LEASE_MS }),
      ),
  ],
  [
    sql.HELD,
    (run, [realm, owner]) =>
      rowsOf(
        run,
        inRealm(realm, (write) => isOpen(write) && write.owner !== owner && write.leaseUntil >= run.now),
      ),
  ],
  [
    sql.RELEASE,
    (run, [owner]) =>
      update(
        run,
        (write) => write.owner === owner && isOpen(write),
        () => ({ leaseUntil: Number.NEGATIVE_INFINITY }),
      ),
  ],
  [
    sql.DOUBTFUL,
    (run, [realm, user, key, owner]) =>
      rowsOf(
        run,
        inRealm(realm, (one) => one.user === user && one.key === key && one.owner === owner && one.state === "SENT"),
      ),
  ],
  [
    sql.BY_KEY,
    (run, [realm, user, key]) =>
      rowsOf(
        run,
        inRealm(realm, (one) => one.user === user && one.key === key && one.state !== "UNSENT"),
      ),
  ],
  [sql.BY_SEQ, (run, [seq]) => rowsOf(run, (one) => one.seq === seq)],
  [sql.ALL_OPEN, (run, [realm]) => rowsOf(run, inRealm(realm, isOpen))],
  [
    sql.AROUND,
    (run, [realm, seq, user, endpoint, from, to]) =>
      rowsOf(
        run,
        inRealm(
          realm,
          (one) =>
            Math.abs(one.seq - whole(seq)) <= NEAR &&
            one.seq !== seq &&
            one.user === user &&
            one.endpoint === endpoint &&
            one.sentAt >= whole(from) &&
            one.sentAt <= whole(to),
        ),
      ),
  ],
  [
    sql.BETWEEN,
    (run, [realm, user, endpoint, from, to]) =>
      rowsOf(
        run,
        inRealm(
          realm,
          (one) => one.user === user && one.endpoint === endpoint && one.sentAt >= whole(from) && one.sentAt <= whole(to),
        ),
      ),
  ],
  [
    sql.SINCE,
    (run, [realm, seq, user, endpoint, sentAt]) =>
      rowsOf(
        run,
        inRealm(
          realm,
          (one) =>
            one.seq > whole(seq) - NEAR &&
            one.seq !== seq &&
            one.user === user &&
            one.endpoint === endpoint &&
            one.validUntil >= whole(sentAt) &&
            (isOpen(one) || (one.state === "ACCEPTED" && (one.seq > whole(seq) || (one.settledAt ?? 0) > whole(sentAt)))),
        ),
      ),
  ],
  [
    sql.CHARGED,
    (run, [realm, from]) =>
      rowsOf(
        run,
        inRealm(realm, (one) => one.charge !== null && (one.sentAt >= whole(from) || isOpen(one))),
      ),
  ],
  [
    sql.PAGE,
    (run, [realm, user, before, limit]) =>
      rowsOf(
        run,
        inRealm(realm, (one) => one.user === user && one.seq < whole(before)),
      )
        .toReversed()
        .slice(0, whole(limit)),
  ],
  [sql.HOLD, hold],
  [
    sql.HELD_FOR,
    ({ tables, now }, [realm, name]) => {
      const held = tables.rights.get(rightOf(realm, name));
      return held === undefined ? [] : [{ ms: Math.max(1, Math.ceil(held.until - now)) }];
    },
  ],
  [
    sql.GIVE_UP,
    ({ tables }, [realm, name, owner]) => {
      if (tables.rights.get(rightOf(realm, name))?.owner === owner) tables.rights.delete(rightOf(realm, name));
      return [];
    },
  ],
  [sql.PRUNE, prune],
  [
    sql.PRUNE_FIGURES,
    ({ tables }, [day]) => {
      for (const [key, figure] of [...tables.figures]) if (figure.day < whole(day)) tables.figures.delete(key);
      return [];
    },
  ],
  [sql.FIGURES, figures],
  [sql.USER_OF, ({ tables }, [key]) => (tables.users.has(text(key)) ? [{ user: tables.users.get(text(key)) }] : [])],
  [
    sql.SET_USER,
    ({ tables }, [key, user]) => {
      tables.users.set(text(key), text(user));
      return [];
    },
  ],
  [sql.ADOPT, adopt],
  [sql.ADOPT_FIGURES, adoptFigures],
  [halts.READ, ({ tables }) => [{ version: tables.format.halts, halts: tables.halts }]],
  [
    halts.END,
    ({ tables }, [users]) => {
      tables.halts = tables.halts.filter(({ user }) => !list(users).includes(user));
      return [];
    },
  ],
  [
    halts.SET,
    ({ tables }, [user, account, since, by, reason, cancelsOpen]) => {
      const halt = { user: textOrNull(user), account: textOrNull(account), since: whole(since), by: textOrNull(by) };
      tables.halts = [...tables.halts, { ...halt, reason: textOrNull(reason), cancelsOpen: cancelsOpen === 1 }];
      return [];
    },
  ],
  [
    halts.COUNT,
    ({ tables }) => {
      tables.format.halts++;
      return [];
    },
  ],
  [
    halts.ANNOUNCE,
    ({ notify }) => {
      notify("halts");
      return [];
    },
  ],
]);

const VERSIONED = /^UPDATE exchange_graph\.format SET version = (\d+), oldest = (\d+)$/;

/** Runs a statement. Throws an `Error` for one that the product does not have. */
export function executed(statement: string, values: readonly Value[], run: Run): readonly Row[] {
  const [, version, oldest] = VERSIONED.exec(statement) ?? [];
  if (version !== undefined) {
    run.tables.format = { ...run.tables.format, version: whole(version), oldest: whole(oldest) };
    return [];
  }
  const known = STATEMENTS.get(statement);
  if (known === undefined) throw new Error(`the model has no such statement: ${statement.slice(0, 80)}`);
  return known(run, values);
}

const WRITING_SELECTS: ReadonlySet<string> = new Set([sql.RECORD, sql.SETTLE, halts.ANNOUNCE]);

/** Whether a statement changes nothing that a commit would have to keep. */
export const isReading = (statement: string): boolean => statement.startsWith("SELECT") && !WRITING_SELECTS.has(statement);

/** What a statement locks until its transaction ends. */
export function locksOf(
  statement: string,
  values: readonly Value[],
  tables: Tables,
): { readonly exclusive: readonly string[]; readonly shared: readonly string[] } {
  const rows = (seqs: readonly Value[]) => seqs.map((seq) => `row ${text(seq)}`);
  const seqsOf = (holds: (write: Write) => boolean) => [...tables.writes.values()].filter(holds).map(({ seq }) => seq);
  const only = (exclusive: readonly string[]) => ({ exclusive, shared: [] });
  switch (statement) {
    case "SELECT pg_advisory_xact_lock($1)":
      return only([`lock ${text(values[0])}`]);
    case sql.RECORD:
      return {
        exclusive: list(values[15]).map((kind, at) => `figures ${text(kind)} ${text(list(values[16])[at])}`),
        shared: [`lock ${halts.HALT_LOCK}`],
      };
    case sql.SETTLE:
    case sql.RENEW:
    case sql.CLAIM:
      return only(rows(list(values[1])));
    case sql.RELEASE:
      return only(rows(seqsOf((write) => write.owner === values[0] && isOpen(write))));
    case sql.HOLD:
    case sql.GIVE_UP:
      return only([`right ${rightOf(values[0], values[1])}`]);
    case sql.SET_USER:
      return only([`user of ${text(values[0])}`]);
    case sql.ADOPT:
      return only(rows(seqsOf(({ user }) => user === values[1])));
    case sql.ADOPT_FIGURES:
      return only([`figures account ${text(values[0])}`, `figures account ${text(values[1])}`]);
    default:
      return only([]);
  }
}

/** Rows that a reading statement has locked by what it returned. */
export const lockedBy = (statement: string, rows: readonly Row[]): readonly string[] =>
  statement === sql.ORPHANS ? rows.map(({ seq }) => `row ${String(seq)}`) : [];
