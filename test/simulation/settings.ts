import { exact, plain } from "@exchange-graph/contract/decimal";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { Answer } from "@exchange-graph/sandbox/http/answer";
import type { ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import { type AccountName, MARKETS } from "./actions.js";
import type { Invariant } from "./auditor.js";
import type { Call } from "./line.js";
import type { Payload } from "./operations.js";
import { NOTHING, type Past } from "./past.js";
import type { Replica } from "./replica.js";
import type { VirtualTime } from "./time.js";

const [BTC, ETH, XRP] = MARKETS.slice(4, 7) as unknown as readonly [FuturesMarket, FuturesMarket, FuturesMarket];
/** A Classic account changes no leverage where it has a position, and has them there alone. */
export const POSITIONS_MARKET = BTC;
const LEVERAGE_MARKETS = { unified: [BTC, ETH, XRP], classic: [ETH, XRP] } as const;
const NAMES = { unified: ["main", "main2"], classic: ["classic", "classic2"] } as const;

type FuturesMarket = Extract<(typeof MARKETS)[number], { readonly category: "USDT-FUTURES" }>;

/** Leverages that are set begin here: no symbol has one of them before. */
const LEAST_LEVERAGE = 22;
/** Number of keys: each gives another leverage, of at most 50. */
export const SETTING_KEYS = 28;

/** A change of a setting. Its key determines everything, so that the exchange's effects can be told apart. */
interface SettingTerms {
  readonly kind: "leverage" | "margin";
  readonly account: AccountName;
  readonly market: FuturesMarket;
  /** The leverage, or what is added to the margin of a long position. */
  readonly value: string;
}

export function settingOf(key: number): SettingTerms {
  const mode = key % 4 === 0 ? "unified" : "classic";
  const account = NAMES[mode][(key >> 2) % 2] ?? "main";
  if (key % 4 < 2) {
    const markets = LEVERAGE_MARKETS[mode];
    return { kind: "leverage", account, market: markets[(key % 3) % markets.length] ?? BTC, value: `${LEAST_LEVERAGE + key}` };
  }
  return { kind: "margin", account, market: BTC, value: key % 8 < 7 ? `1.0${key + 10}` : `-0.0${key + 10}` };
}

interface Asked {
  readonly terms: SettingTerms;
  sentAt: number | undefined;
  executedAt: number | undefined;
  executed: number;
  /** Questions that have no answer. */
  open: number;
  isAccepted: boolean;
  isUnknown: boolean;
  isRejected: boolean;
}

interface Parts {
  readonly time: VirtualTime;
  readonly exchange: SandboxInMemory;
  readonly past: Past;
  readonly uidOf: (account: AccountName) => string;
  /** Fails with `halt` if the call left during a halt of the user. */
  readonly refuseHalted: (uid: string, call: Call, what: string) => void;
  readonly fail: (invariant: Invariant, text: string) => void;
  readonly trace: (line: string) => void;
}

const SETTINGS = `query ($account: String!, $symbol: String!) {
  account(name: $account) {
    futuresSettings(category: USDT_FUTURES, symbol: $symbol) { marginMode leverage }
    positions(category: USDT_FUTURES, symbol: $symbol) { posSide margin marginMode }
  }
}`;

interface Shown {
  readonly account: {
    readonly futuresSettings: { readonly marginMode: string | null; readonly leverage: string | null } | null;
    readonly positions:
      | readonly { readonly posSide: string; readonly margin: string | null; readonly marginMode: string | null }[]
      | null;
  } | null;
}

/** Judges changes of leverage and of positions' margin by the calls that the exchange executes, and what gateways show afterwards. */
export class SettingWrites {
  readonly #asked = new Map<number, Asked>();
  /** When the last change that a gateway has answered as accepted took effect, by gateway and by what was changed; world time. */
  readonly #confirmed = new WeakMap<Replica, Map<string, number>>();

  constructor(private readonly parts: Parts) {
    const { exchange, past } = parts;
    exchange.world.state.events.on((event) => {
      if (event.kind === "settings")
        for (const market of [BTC, ETH, XRP]) past.note(settingKey(event.uid, market), this.#setting(event.uid, market));
      else if (event.kind === "position") {
        const { uid, category, symbol, side, size, margin, marginMode } = event.position;
        const text = size.eq("0") || marginMode === "crossed" ? NOTHING : plain(margin);
        if (category === BTC.category && symbol === BTC.symbol && side === "long") past.note(marginKey(uid), text);
      }
    });
  }

  /** The input of the mutation. */
  inputOf(key: number): Readonly<Record<string, unknown>> {
    const { kind, market, value } = settingOf(key);
    const what = { category: "USDT_FUTURES", symbol: market.symbol, idempotencyKey: nameOf(key) };
    return kind === "leverage" ? { ...what, leverage: value } : { ...what, posSide: "LONG", amount: value };
  }

  asked(key: number): void {
    const asked = this.#asked.get(key) ?? {
      ...{ terms: settingOf(key), sentAt: undefined, executedAt: undefined, executed: 0 },
      ...{ open: 0, isAccepted: false, isUnknown: false, isRejected: false },
    };
    asked.open++;
    asked.isRejected = false;
    this.#asked.set(key, asked);
  }

  /** `outcome`: undefined if the question has failed, as if nothing was sent. */
  answered(key: number, outcome: Payload["outcome"] | undefined): void {
    const asked = this.#asked.get(key);
    if (asked === undefined) return;
    asked.open--;
    if (outcome === "ACCEPTED") asked.isAccepted = true;
    if (outcome !== undefined) asked.isUnknown = outcome === "UNKNOWN";
    // While another question is open, that one may still send it.
    asked.isRejected =
      (outcome === "REJECTED" || (outcome === undefined && !asked.isUnknown)) && asked.open === 0 && !asked.isAccepted;
    this.#check(key, asked);
  }

  /** The outcome of a write with this name, by the journal at the end. */
  recorded(name: string, status: string): void {
    const [key, asked] = [...this.#asked].find(([one]) => nameOf(one) === name) ?? [];
    if (key === undefined || asked === undefined) return;
    this.#check(key, { ...asked, isAccepted: status === "ACCEPTED", isRejected: status === "REJECTED" });
  }

  left(call: Call): void {
    const key = this.#keyOf(call);
    const asked = key === undefined ? undefined : this.#asked.get(key);
    if (key === undefined || asked === undefined) return;
    this.parts.refuseHalted(this.parts.uidOf(asked.terms.account), call, whatOf(key));
    if (asked.sentAt !== undefined) this.parts.fail("sent once", `${whatOf(key)} was sent at ${asked.sentAt} and again`);
    asked.sentAt = call.leftAt;
  }

  answeredCall(call: Call, { code }: Answer): void {
    const key = code === "00000" ? this.#keyOf(call) : undefined;
    const asked = key === undefined ? undefined : this.#asked.get(key);
    if (key === undefined || asked === undefined) return;
    asked.executed++;
    asked.executedAt = this.parts.time.now;
    this.#check(key, asked);
  }

  /** A gateway has answered that a change was accepted. */
  confirmed(gateway: Replica, key: number): void {
    const asked = this.#asked.get(key);
    if (asked?.executedAt === undefined) return;
    const { kind, market, account } = asked.terms;
    const uid = this.parts.uidOf(account);
    const subject = kind === "margin" ? marginKey(uid) : settingKey(uid, market);
    const times = this.#confirmed.get(gateway) ?? new Map<string, number>();
    this.#confirmed.set(gateway, times.set(subject, Math.max(times.get(subject) ?? 0, asked.executedAt)));
  }

  /** Reads the settings of an account; changes that the gateway has answered before must show. */
  async read(gateway: Replica, client: ClientPrincipal, account: string, key: number): Promise<void> {
    const { past, trace, time, uidOf, fail } = this.parts;
    const { market, account: owner } = settingOf(key);
    const uid = uidOf(owner);
    const floors = new Map(this.#confirmed.get(gateway));
    const floorOf = (subject: string): number => floors.get(subject) ?? Number.NEGATIVE_INFINITY;
    const shown = (await gateway.execute(client, SETTINGS, { account, symbol: market.symbol })) as Shown;
    trace(`${time.now} settings of ${account} ${JSON.stringify(shown)}`);
    const { futuresSettings: settings, positions } = shown.account ?? { futuresSettings: null, positions: null };
    const { marginMode, leverage } = settings ?? {};
    const text = `${marginMode?.toLowerCase()} ${leverage}`;
    const setting = settingKey(uid, market);
    const isRead = typeof marginMode === "string" && typeof leverage === "string";
    if (isRead && !past.hasBeen(setting, text, floorOf(setting)))
      fail("read your writes", `${gateway.name} shows "${text}" as ${setting}, as before a write at ${floorOf(setting)}`);
    if (market.symbol !== POSITIONS_MARKET.symbol || positions === null) return;
    const isolated = positions.find(({ posSide, marginMode: mode }) => posSide === "LONG" && mode === "ISOLATED");
    const held = typeof isolated?.margin === "string" ? plain(exact(isolated.margin)) : NOTHING;
    const margin = marginKey(uid);
    if (!past.hasBeen(margin, held, floorOf(margin)))
      fail("read your writes", `${gateway.name} shows "${held}" as ${margin}, as before a write at ${floorOf(margin)}`);
  }

  /** Whether the outcome of a write with this name must be known at the end: nothing else has set the same. */
  mustSettle(name: string): boolean {
    const found = [...this.#asked].find(([key]) => nameOf(key) === name);
    if (found === undefined) return false;
    const [own, { terms }] = found;
    if (terms.kind !== "leverage") return false;
    const isSame = (other: SettingTerms) =>
      other.kind === "leverage" && other.market === terms.market && other.account[0] === terms.account[0];
    return ![...this.#asked].some(([key, { terms: other }]) => key !== own && isSame(other));
  }

  #setting(uid: string, { category, symbol }: FuturesMarket): string {
    const { marginMode, crossed, long } = this.parts.exchange.world.state.accounts.of(uid).setting(category, symbol);
    return `${marginMode} ${marginMode === "crossed" ? crossed : long}`;
  }

  #keyOf({ endpoint, body, key }: Call): number | undefined {
    if (endpoint === undefined || !ENDPOINTS.has(endpoint)) return undefined;
    const uid = this.parts.exchange.gate.credentials.find(key ?? "")?.uid;
    for (const [one, { terms }] of this.#asked) {
      const value = terms.kind === "margin" ? body.amount : body.leverage;
      const isSame = typeof value === "string" && exact(value).eq(exact(terms.value)) && body.symbol === terms.market.symbol;
      if (isSame && this.parts.uidOf(terms.account) === uid) return one;
    }
    return undefined;
  }

  #check(key: number, { executed, isAccepted, isRejected }: Asked): void {
    const { fail } = this.parts;
    if (isAccepted && executed === 0)
      fail("accepted has an effect", `${whatOf(key)} was ACCEPTED, and the exchange did not do it`);
    if (isRejected && executed > 0) fail("rejected has no effect", `${whatOf(key)} was REJECTED, and the exchange did it`);
    if (executed > 1) fail("one effect per key", `${whatOf(key)} was done ${executed} times`);
  }
}

const ENDPOINTS: ReadonlySet<string> = new Set(["setLeverage", "classicSetLeverage", "classicSetMargin"]);

const nameOf = (key: number): string => `setting ${key}`;
const settingKey = (uid: string, { symbol }: FuturesMarket): string => `setting ${uid} ${symbol}`;
const marginKey = (uid: string): string => `margin ${uid}`;

function whatOf(key: number): string {
  const { kind, account, market, value } = settingOf(key);
  return `the ${kind} ${value} of ${market.symbol} (${account}, ${nameOf(key)})`;
}
