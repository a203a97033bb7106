import { ACCOUNTS, type Action, CLIENTS, DESTINATIONS, type WithdrawalTerms } from "./actions.js";
import { NO_FAULTS } from "./line.js";
import type { LATEST_THEMES, Profile } from "./profile.js";
import { between, oneOf, type Random } from "./random.js";
import { gapped, orderOf, type Scene } from "./scene.js";

const MOST_KEYS = 1_000_000_000;

/** What happens in the themes that came last. */
export const LATEST_SCENES: Readonly<Record<keyof typeof LATEST_THEMES, (random: Random, profile: Profile) => readonly Scene[]>> =
  {
    crossings: (random) => {
      const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
      const [here, there] = random.oneIn(2) ? [0, 1] : [1, 0];
      const whose = oneOf(random, [account, null]);
      const place = (): Scene => ({
        action: { kind: "place", client, account, order: orderOf(random, undefined, between(random, 0.05, 0.2)) },
        ...{ gapMs: random.between(5, 60), replica: there },
      });
      // Announcements are missed until the line is open again.
      const cut: Action = { kind: "engine", fault: "database cuts its connections", forMs: 0 };
      return [
        ...[place(), place()],
        ...gapped([cut], random.between(0, 60)),
        { action: { kind: "halt", account: whose, cancelOpen: random.oneIn(4) }, gapMs: random.between(5, 60), replica: here },
        ...Array.from({ length: 6 }, place),
        ...gapped([{ kind: "resume", account: whose }], 1_000).map((scene) => ({ ...scene, replica: here })),
      ];
    },

    withdrawals: (random) => {
      const client = oneOf(random, CLIENTS);
      const terms = withdrawalTerms(random);
      const withdraw: Action = { kind: "withdraw", client, terms };
      const first = random.between(0, 1);
      // The reads before a withdrawal take about this long, so that its own answer is the first that is lost.
      const leaves = oneOf(random, [0, random.between(0, 20), random.between(5, 120)]);
      const twice: readonly Scene[] = [
        { action: withdraw, gapMs: leaves, replica: first },
        { action: withdraw, gapMs: random.between(0, 30), replica: 1 - first },
      ];
      const forMs = oneOf(random, [500, 3_000, 9_000]);
      const lost: Action = { kind: "line", faults: { ...NO_FAULTS, lost: between(random, 0.3, 1) }, forMs };
      const ends: readonly Scene[] = [
        { action: random.oneIn(2) ? lost : { kind: "kill", downMs: random.between(0, 2_000) }, gapMs: 600, replica: first },
      ];
      const halt: readonly Action[] = [
        { kind: "halt", account: null, cancelOpen: random.oneIn(3) },
        { kind: "withdraw", client, terms: { ...terms, key: random.between(0, MOST_KEYS) } },
        withdraw,
        { kind: "resume", account: null },
      ];
      const other: Action = { kind: "withdraw", client, terms: withdrawalTerms(random) };
      // A withdrawal of the same content under another key.
      const twin: Action = { kind: "withdraw", client, terms: { ...terms, key: random.between(0, MOST_KEYS) } };
      return [
        ...(random.oneIn(2) ? gapped([{ kind: "allow", isAllowed: random.oneIn(2) }], random.between(0, 50)) : []),
        ...(random.oneIn(3) ? gapped([lost], random.between(0, 30)) : []),
        ...twice,
        ...(random.oneIn(3) ? gapped([twin], random.between(0, 60)) : []),
        ...(random.oneIn(2) ? ends : []),
        ...(random.oneIn(3) ? gapped([{ kind: "allow", isAllowed: random.oneIn(2) }], random.between(0, 50)) : []),
        ...(random.oneIn(6) ? gapped(halt, random.between(5, 900)) : []),
        ...gapped([other], random.between(0, 900)),
        ...twice,
      ];
    },
  };

const withdrawalTerms = (random: Random): WithdrawalTerms => ({
  key: random.between(0, MOST_KEYS),
  isNamed: random.oneIn(2),
  subAccount: random.between(0, 1),
  to: random.oneIn(10) ? DESTINATIONS[3] : oneOf(random, DESTINATIONS.slice(0, 3)),
  coin: oneOf(random, ["USDT", "TRX"] as const),
  amount: oneOf(random, ["2", "5.5", `${random.between(3, 900)}.${random.between(1, 999)}`]),
});
