import { createClient } from "@redis/client";
import type { RedisServer } from "../../../../../test/support/redisServer.js";
import { BEAT, LEASE_MS, MEMBER_MS, REPORTED, YOUNG_MS } from "../../../src/redis/engineScripts.js";
import { HELLO } from "../../../src/redis/handshake.js";
import { NOW, type Script } from "../../../src/redis/script.js";
import { SLOTS } from "../../../src/redis/slotScript.js";

/** Runs what replicas ask of the engine, at a time of the engine that the test decides. */
export interface Scripts {
  run(script: Script, words: readonly string[], now: number): Promise<unknown>;
  empty(): Promise<void>;
}

const KNOWN: readonly Script[] = [HELLO, BEAT, REPORTED, SLOTS];

/** The script that an `EVAL` or `EVALSHA` names. */
export function scriptOf(name: string): Script {
  const known = KNOWN.find(({ source, sha }) => name === sha || name === source);
  if (known === undefined) throw new Error(`no such script: ${name.slice(0, 40)}`);
  return known;
}

/** The scripts themselves on a real server; its clock alone is the test's. */
export async function realScripts({ url }: RedisServer): Promise<Scripts & { close(): void }> {
  const client = await createClient({ url }).connect();
  return {
    run: async ({ source }, words, now) => {
      if (!source.includes(NOW) && source.includes("'TIME'")) throw new Error("a script reads the time in another way");
      return await client.sendCommand(["EVAL", source.replace(NOW, `local now = ${Math.floor(now)};\n`), ...words]);
    },
    empty: async () => void (await client.sendCommand(["FLUSHALL"])),
    close: () => client.destroy(),
  };
}

interface Epoch {
  readonly id: string;
  readonly run: string;
  since: number;
  isYoung: boolean;
  expected: number;
  readonly reported: Set<string>;
}

interface Row {
  readonly slots: number;
  readonly want: number;
  readonly expires: number;
}

/** The same rules once more, for machines without a server. Written from what the scripts promise, not from how they do it. */
export function modelledScripts(): Scripts {
  let epoch: Epoch | undefined;
  let members = new Map<string, number>();
  let counters = new Map<string, { isForCancels: boolean; rows: Map<string, Row> }>();

  const present = (now: number) => {
    for (const [name, until] of members) if (until <= now) members.delete(name);
    return members.size;
  };
  const fairShare = (me: string, wants: ReadonlyMap<string, number>, limit: number): number => {
    const all = [...wants].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
    if (all.reduce((sum, [, want]) => sum + want, 0) <= limit) return limit;
    let [left, fair] = [limit, limit];
    for (const [at, [name, want]] of all.entries()) {
      const share = Math.min(want, Math.floor(left / (all.length - at)));
      if (name === me) fair = share;
      left -= share;
    }
    return fair;
  };
  const slots = (
    counterKey: string,
    args: readonly string[],
    now: number,
    { since, isYoung, expected, reported }: Epoch,
  ): readonly number[] => {
    const [, me = ""] = args;
    const [keep = 0, mine = 0, ask = 0, want = 0, limit = 0, rest = 0, cancels = 0] = args.slice(2).map(Number);
    members.set(me, now + MEMBER_MS);
    const replicas = present(now);
    const counter = counters.get(counterKey) ?? { isForCancels: false, rows: new Map<string, Row>() };
    counters.set(counterKey, counter);
    for (const [name, { expires }] of counter.rows) if (expires + rest <= now) counter.rows.delete(name);
    counter.isForCancels ||= cancels === 1;
    const others = [...counter.rows].filter(([name]) => name !== me);
    const taken = new Map(others.map(([name, row]) => [name, row.slots]));
    if (counter.isForCancels && replicas <= limit)
      for (const [name, until] of members)
        if (name !== me && until >= now + MEMBER_MS - 2 * LEASE_MS && (taken.get(name) ?? 0) === 0) taken.set(name, 1);
    const used = [...taken.values()].reduce((sum, one) => sum + one, 0);
    const haveAll = expected > 0 && reported.size >= expected;
    const learning = !haveAll && now < since + (isYoung ? YOUNG_MS : LEASE_MS + rest);
    const grant = Math.max(0, Math.min(learning ? mine : Math.max(ask, mine), limit - used));
    const counted = Math.max(grant, keep);
    if (counted === 0 && want === 0) counter.rows.delete(me);
    else counter.rows.set(me, { slots: counted, want, expires: now + LEASE_MS });
    const wants = new Map(others.filter(([, { expires }]) => expires > now).map(([name, row]) => [name, row.want]));
    const fair = fairShare(me, wants.set(me, want), limit);
    return [grant, replicas, fair, Math.max(0, learning ? 0 : limit - used - counted)];
  };

  return {
    async run(script, words, now) {
      const keys = words.slice(1, 1 + Number(words[0]));
      const args = words.slice(1 + keys.length);
      if (script === HELLO) {
        const [run = "", id = "", isAlone, former, known] = args;
        const hadEpoch = former !== "";
        if (epoch === undefined || epoch.run !== run) {
          epoch = { id, run, since: now, isYoung: !hadEpoch, expected: hadEpoch ? Number(known) : 0, reported: new Set() };
          return id;
        }
        const wasElsewhere = hadEpoch && former !== epoch.id;
        if (isAlone === "1" || (wasElsewhere && epoch.isYoung)) Object.assign(epoch, { since: now, isYoung: false });
        if (isAlone === "1" && !wasElsewhere) epoch.expected = Number.NaN;
        else if (wasElsewhere) epoch.expected = Math.max(epoch.expected, Number(known));
        return epoch.id;
      }
      if (epoch === undefined || epoch.id !== args[0]) throw new Error("EPOCH has changed");
      if (script === REPORTED) return epoch.reported.add(args[1] ?? "");
      if (script === SLOTS) return slots(keys[2] ?? "", args, now, epoch);
      members.set(args[1] ?? "", now + MEMBER_MS);
      const count = present(now);
      return [count, "0", [...members.keys()].filter((name) => name < (args[1] ?? "")).length];
    },
    async empty() {
      epoch = undefined;
      members = new Map();
      counters = new Map();
    },
  };
}
