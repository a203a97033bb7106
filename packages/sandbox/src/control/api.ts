import { exact, plain } from "@exchange-graph/contract/decimal";
import { amount } from "@exchange-graph/contract/parameter";
import { z } from "zod";
import type { Answer, Received } from "../http/answer.js";
import type { CallLog } from "../http/calls.js";
import { type Gate, SIGNED_QUERIES } from "../http/gate.js";
import type { RateLimits } from "../http/rateLimits.js";
import { Refused } from "../refused.js";
import type { Sockets } from "../sockets/sockets.js";
import type { Ledger } from "../world/ledger.js";
import type { WalletService } from "../world/wallet/walletService.js";
import { FAULT_TARGETS, type Faults, type FaultTarget, faultRuleSchema } from "./faults.js";
import type { SkewedClock } from "./skewedClock.js";

export interface ControlParts {
  readonly faults: Faults;
  /** Valid names of each kind of target. */
  readonly targets: Readonly<Record<FaultTarget, readonly string[]>>;
  readonly gate: Gate;
  readonly clock: SkewedClock;
  readonly calls: CallLog;
  readonly limits: RateLimits;
  readonly ledger: Ledger;
  readonly sockets: Sockets;
  readonly wallets: WalletService;
  readonly advance: () => void;
}

const PREFIX = "/sandbox/";
const LOOPBACK = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
const clockSchema = z.strictObject({ skewMs: z.number().int().min(-86_400_000).max(86_400_000) });

const AMOUNT = amount();
const depositSchema = z.strictObject({
  uid: z.string().max(40),
  coin: z.string().max(24),
  amount: z.string().refine((text) => AMOUNT.accepts(text), { error: `must be ${AMOUNT.allowed}` }),
  chain: z.string().max(40).optional(),
});

const signingSchema = z.strictObject({ query: z.enum(SIGNED_QUERIES) });

class BadControlCall extends Error {}

type Operation = (body: unknown, id: string | undefined) => unknown;

/**
 * The sandbox's own calls: they add fault rules, shift the clock, bring in deposits, and read the ledger and the call log. They are allowed from
 * this machine only, and not from web pages: a body has to be declared as JSON.
 */
export class ControlApi {
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor(parts: ControlParts) {
    this.#operations = new Map(Object.entries(operations(parts)));
  }

  /** Whether this is a control call from this machine. For others the control calls do not exist. */
  serves({ path, address }: Received): boolean {
    return path.startsWith(PREFIX) && LOOPBACK.test(address);
  }

  answer(request: Received): Answer {
    const [resource = "", id] = request.path.slice(PREFIX.length).split("/");
    const operation = this.#operations.get(`${request.method} ${resource}${id === undefined ? "" : "/:id"}`);
    if (operation === undefined) return reply(404, { error: "no such control call" });
    try {
      return reply(200, operation(bodyOf(request), id));
    } catch (error) {
      if (error instanceof z.ZodError) return reply(400, { error: z.prettifyError(error) });
      if (error instanceof BadControlCall || error instanceof Refused) return reply(400, { error: error.message });
      throw error;
    }
  }
}

function operations(parts: ControlParts): Readonly<Record<string, Operation>> {
  const { faults, gate, clock, calls, limits, ledger, sockets, wallets } = parts;
  return {
    "GET faults": () => faults.rules,
    "POST faults": (body) => {
      const rule = faultRuleSchema.parse(body);
      for (const target of FAULT_TARGETS) {
        const name = rule[target];
        if (name !== undefined && !parts.targets[target].includes(name))
          throw new BadControlCall(`there is no ${target} "${name}"`);
      }
      if (faults.isFull) throw new BadControlCall("there are as many fault rules as there may be");
      return { id: faults.add(rule) };
    },
    "DELETE faults": () => faults.clear(),
    "DELETE faults/:id": (_, id) => ({ removed: faults.remove(Number.parseInt(id ?? "", 10)) }),
    "GET clock": () => ({ now: clock.now(), skewMs: clock.skewMs }),
    "POST clock": (body) => {
      clock.skewMs = clockSchema.parse(body).skewMs;
      return { now: clock.now(), skewMs: clock.skewMs };
    },
    "GET signing": () => ({ query: gate.signedQuery }),
    "POST signing": (body) => {
      gate.signedQuery = signingSchema.parse(body).query;
      return { query: gate.signedQuery };
    },
    "GET calls": () => ({ violations: limits.violations, endpoints: calls.counts() }),
    "DELETE calls": () => calls.clear(),
    "GET ledger": () => booksOf(ledger),
    "POST deposits": (body) => {
      const { uid, coin, amount: amountText, chain } = depositSchema.parse(body);
      if (wallets.accounts.find(uid) === undefined) throw new BadControlCall(`there is no account "${uid}"`);
      parts.advance();
      return { orderId: wallets.deposit(uid, coin, exact(amountText), chain).orderId };
    },
    "GET sockets": () => sockets.gauges,
    "DELETE sockets": () => ({ dropped: sockets.drop() }),
  };
}

/** Every balance that is not zero, the total of each coin, and the digest of all postings. */
function booksOf(ledger: Ledger): unknown {
  const wallets = ledger.wallets().map((wallet) => {
    const coins = ledger
      .coins(wallet)
      .map(([coin, { available, frozen, locked }]) => [
        coin,
        { available: plain(available), frozen: plain(frozen), locked: plain(locked) },
      ]);
    return [wallet, Object.fromEntries(coins)];
  });
  const totals = [...ledger.supply().keys()].map((coin) => [coin, plain(ledger.total(coin))]);
  return {
    digest: ledger.digest(),
    postings: ledger.posted,
    totals: Object.fromEntries(totals),
    wallets: Object.fromEntries(wallets),
  };
}

function bodyOf(request: Received): unknown {
  if (request.method !== "POST") return undefined;
  if (!request.header("content-type")?.startsWith("application/json")) throw new BadControlCall("the body must be JSON");
  try {
    return JSON.parse(request.body);
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadControlCall("the body is not valid JSON");
    throw error;
  }
}

const reply = (status: number, body: unknown): Answer => ({ status, code: "", body: JSON.stringify(body ?? {}) });
