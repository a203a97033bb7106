import { accountSettings } from "@exchange-graph/contract/account";
import { isZero } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import type { Fault } from "../../errors/index.js";
import { type AccountFacts, type MarginRules, type RequestReads, readMarginRules } from "../../reads/index.js";
import type { AccountTopics } from "../accountTopics.js";
import type { FeedUpstream } from "../feeds/channelFeed.js";
import type { Listener, MarketStreams, Unlisten } from "../listening.js";
import type { AccountHoldings } from "../state/holdings.js";
import { type LiveKind, WHOLE } from "../state/kinds.js";
import type { CurrentAccount } from "./currentAccount.js";
import { LiveAccount } from "./liveAccount.js";
import type { LiveEndpoint, ProvenAccount } from "./liveEndpoints.js";
import type { LiveList, LiveWorth, UnprovenReason } from "./liveList.js";

interface LiveAccountsOptions extends Pick<FeedUpstream, "clock" | "exchangeNow"> {
  readonly topics: AccountTopics;
  readonly market: Pick<MarketStreams, "ticker" | "tickerKnownUntil">;
  readonly newReads: () => RequestReads;
  /** Called if margin rules could not be read. */
  readonly rulesFailed: (error: unknown) => void;
}

interface Open {
  readonly live: LiveAccount;
  readonly users: Set<(fault: Fault) => void>;
  readonly leave: () => void;
}

/** Kinds that orders and trigger orders change without a push of the channels of those kinds. */
const CHANGED_BY_ORDERS: readonly LiveKind[] = ["positions", "accountUpdates"];

/** Kinds that figures at current prices depend on. */
const FIGURES: readonly LiveKind[] = ["positions", "accountUpdates", "orders"];

/** Accounts with figures at current prices, one object per account for all users. */
export class LiveAccounts {
  readonly #open = new Map<string, Open>();

  constructor(private readonly options: LiveAccountsOptions) {}

  /** The account, if it is followed. */
  find(account: string): LiveAccount | undefined {
    return this.#open.get(account)?.live;
  }

  /** Keeps a kind of an account's state open for queries. */
  keep(kind: LiveKind, account: ExchangeAccount, failed: (fault: Fault) => void): Unlisten {
    const { topics } = this.options;
    const listener = { next: () => undefined, failed };
    if (kind === "orders" || kind === "planOrders") return topics.listen(kind, account, listener);
    if (kind === "fills") return topics.keepFills(account, listener);
    return this.follow(account, failed).leave;
  }

  provenOf(account: string): ProvenAccount {
    const { orders, fills, planOrders, positions, accountUpdates } = this.options.topics.hubs;
    return {
      kinds: {
        orders: (part) => orders.feed(account)?.proven(part),
        fills: (part) => fills.feed(account)?.proven(part),
        planOrders: (part) => planOrders.feed(account)?.proven(part),
        positions: (part) => positions.feed(account)?.proven(part),
        accountUpdates: (part) => accountUpdates.feed(account)?.proven(part),
      },
      figures: () => this.find(account)?.figures(),
      isWitnessed: () => this.find(account)?.isWitnessed === true,
      now: this.options.exchangeNow,
    };
  }

  /** Changes with the state of an answer; undefined while that is not proven, or if the account has another mode. */
  versionOf(account: string, live: LiveEndpoint, mode: AccountMode | "BOTH", part: string | undefined): object | undefined {
    const { kind } = live;
    const isFigure = kind === "positions" || kind === "accountUpdates";
    if (isFigure && this.#moves(account, live, part)) return this.find(account)?.version(mode, kind, part);
    return this.options.topics.hubs[kind].feed(account)?.version(mode, part);
  }

  /** Maximum age of the state of an answer, ms. */
  ageOf(account: string, live: LiveEndpoint, part: string | undefined): number {
    return this.#moves(account, live, part) ? (this.find(account)?.ageMs ?? 0) : 0;
  }

  /** When the lists that an answer rests on were last compared with the exchange, the earliest of them, Unix ms. */
  comparedAtOf(account: string, live: LiveEndpoint, part: string | undefined): number | undefined {
    const figures = this.#moves(account, live, part) ? this.find(account) : undefined;
    const lists = figures?.basisOf(live.kind === "positions" ? "positions" : "accountUpdates", part) ?? [
      { kind: live.kind, part },
    ];
    return this.#comparedAt(account, lists);
  }

  #comparedAt(account: string, lists: readonly { readonly kind: LiveKind; readonly part?: string | undefined }[]) {
    const times = lists.map((list) => this.options.topics.hubs[list.kind].feed(account)?.comparedAt(list.part));
    const compared = times.filter((time) => time !== undefined);
    return compared.length === times.length ? Math.min(...compared) : undefined;
  }

  /** What an account holds at current prices, if all of it is proven; otherwise the reason why it is not. */
  worthOf(account: string): LiveWorth | UnprovenReason {
    const live = this.find(account);
    const mode = this.options.topics.hubs.accountUpdates.feed(account)?.mode;
    if (live === undefined || mode === undefined) return "INTERRUPTED";
    const unproven = live.unprovenFor("accountUpdates");
    if (unproven !== undefined) return unproven;
    const [holdings, prices] = [live.holdings(), live.prices];
    if (holdings === undefined || prices === undefined) return "BEING_READ";
    const comparedAt = this.#comparedAt(account, live.basisOf("accountUpdates"));
    return { mode, holdings, prices, comparedAt, time: this.options.exchangeNow() };
  }

  /** The lists of an account's state, each with the reason if it is not proven. */
  listsOf(account: string): readonly LiveList[] {
    const { topics } = this.options;
    return topics.listsOf(account).map(({ kind, name, comparedAt }) => {
      const feed = topics.hubs[kind].feed(account);
      const part = name === WHOLE ? undefined : name;
      const reason = feed?.liveVersion() === undefined ? "INTERRUPTED" : feed.isProven(part) ? undefined : "BEING_READ";
      const isFigure = kind === "positions" || (kind === "accountUpdates" && name !== "SPOT");
      const figures = isFigure && reason === undefined ? this.find(account) : undefined;
      return { account, kind, name, comparedAt, reason: reason ?? figures?.unprovenFor(isFigure ? kind : "positions", part) };
    });
  }

  /** Called when a call is not answered from the state. */
  missed(account: string, { kind, isPriced }: LiveEndpoint): void {
    this.options.topics.missed(account, isPriced ? FIGURES : [kind]);
  }

  /** Whether the answer depends on prices. Without a position of its category it does not. */
  #moves(account: string, { kind, isPriced }: LiveEndpoint, part: string | undefined): boolean {
    if (!isPriced || kind !== "positions") return isPriced;
    const positions = this.options.topics.hubs.positions.feed(account)?.live() ?? [];
    return positions.some(({ categoryRaw }) => part === undefined || categoryRaw === part);
  }

  /** Follows an account; `failed` is called when that has ended. */
  follow(account: ExchangeAccount, failed: (fault: Fault) => void): { readonly live: LiveAccount; readonly leave: Unlisten } {
    const open = this.#open.get(account.name) ?? this.#begin(account);
    const user = (fault: Fault) => failed(fault);
    open.users.add(user);
    return {
      live: open.live,
      leave: () => {
        if (open.users.delete(user) && open.users.size === 0) this.#end(account.name, open);
      },
    };
  }

  /** Emits the holdings of an account each time prices have changed and its figures are proven. */
  holdings(account: ExchangeAccount, listener: Listener<AccountHoldings>): Unlisten {
    return this.#onMoved(account, listener, (live) => live.holdings());
  }

  /** Emits the positions of an account each time prices have changed, those whose formulas are proven. */
  positions(account: ExchangeAccount, listener: Listener<readonly Position[]>): Unlisten {
    return this.#onMoved(account, listener, (live) => live.figures()?.provenPositions ?? []);
  }

  #onMoved<T>(account: ExchangeAccount, listener: Listener<T>, valueOf: (live: LiveAccount) => T | undefined): Unlisten {
    const { live, leave } = this.follow(account, (fault) => listener.failed(fault));
    const stop = live.onMoved(() => {
      const value = valueOf(live);
      if (value !== undefined) listener.next({ kind: "snapshot", time: this.options.exchangeNow(), stale: false, value });
    });
    return () => {
      stop();
      leave();
    };
  }

  #begin(account: ExchangeAccount): Open {
    const { topics, market, clock, exchangeNow } = this.options;
    const live = new LiveAccount(this.#stateOf(account), market, clock, exchangeNow);
    const leaves: Unlisten[] = [];
    const open: Open = {
      live,
      users: new Set(),
      leave: () => {
        for (const leave of leaves.splice(0)) leave();
        live.close();
      },
    };
    this.#open.set(account.name, open);
    const failed = (fault: Fault): void => {
      this.#end(account.name, open);
      for (const user of [...open.users]) user(fault);
    };
    const listener = { next: () => live.changed(), failed };
    let hasPlans = false;
    leaves.push(
      topics.listen("positions", account, listener),
      topics.listen("orders", account, this.#witness(account, failed)),
      topics.listen("accountUpdates", account, {
        next: ({ value: { unified } }) => {
          // Only positions of Classic accounts show take-profits that are trigger orders.
          if (unified === null && !hasPlans) {
            hasPlans = true;
            leaves.push(topics.listen("planOrders", account, this.#witness(account, failed)));
          }
          live.changed();
        },
        failed,
      }),
    );
    // One of them may have failed at once.
    if (this.#open.get(account.name) !== open) open.leave();
    return open;
  }

  #end(name: string, open: Open): void {
    if (this.#open.get(name) === open) this.#open.delete(name);
    open.leave();
  }

  /** Orders that changed while their stream was interrupted may have changed the holdings. */
  #witness(account: ExchangeAccount, failed: (fault: Fault) => void): Listener<unknown> {
    let wasStale = true;
    return {
      next: ({ stale }) => {
        if (wasStale && !stale) this.options.topics.changedElsewhere(account.name, CHANGED_BY_ORDERS);
        wasStale = stale;
      },
      failed,
    };
  }

  /** The account's settings are needed for the margin of a unified account's orders and debts only. */
  async #rulesOf(account: ExchangeAccount, { positions, orders, unified }: AccountFacts): Promise<MarginRules> {
    const reads = this.options.newReads();
    const hasDebts = unified?.assets.some(({ debt }) => debt !== null && !isZero(debt)) === true;
    const settings = orders.length > 0 || hasDebts ? await reads.read(accountSettings, {}, account) : undefined;
    return readMarginRules(reads, [...positions, ...orders], settings);
  }

  #stateOf(account: ExchangeAccount): CurrentAccount {
    const { name } = account;
    const { topics, rulesFailed } = this.options;
    const { hubs } = topics;
    const mode = (): AccountMode | undefined => hubs.accountUpdates.feed(name)?.mode;
    return {
      mode,
      version: () => {
        const version = (kind: LiveKind) => hubs[kind].feed(name)?.liveVersion();
        const [positions, holdings, orders] = [version("positions"), version("accountUpdates"), version("orders")];
        if (positions === undefined || holdings === undefined || orders === undefined) return undefined;
        return mode() === "CLASSIC" && version("planOrders") === undefined ? undefined : { positions, holdings, orders };
      },
      isProven: (kind, part) => hubs[kind].feed(name)?.isProven(part) === true,
      positions: () => hubs.positions.feed(name)?.live(),
      holdings: () => hubs.accountUpdates.feed(name)?.live(),
      orders: () => hubs.orders.feed(name)?.live(),
      confirmed: (categories) => topics.confirmedByFigures(name, categories),
      readAgain: ({ positions, isUnified, wallets }) => {
        topics.changedElsewhere(name, ["positions"], [...positions]);
        if (isUnified) topics.changedElsewhere(name, ["accountUpdates"]);
        else topics.changedElsewhere(name, ["accountUpdates"], [...wallets]);
      },
      rules: (facts) => this.#rulesOf(account, facts),
      failed: rulesFailed,
    };
  }
}
