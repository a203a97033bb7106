import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { Account } from "./accounts.js";
import { causeOf } from "./cause.js";
import { type WalletKind, walletOf } from "./ledger.js";
import type { OrderService } from "./orders/orderService.js";
import type { PlanService } from "./plans/planService.js";
import type { PlanStore } from "./plans/planStore.js";
import type { State } from "./state.js";
import type { WorldTime } from "./worldTime.js";

type Goal = "unified" | "classic";

/** State of a change of the account mode. `fail` has a reason. */
export interface ModeChange {
  readonly goal: Goal;
  readonly status: "process" | "success" | "fail";
  readonly reason?: string;
}

/** By its target: the account's mode during the change, and the reason of a refusal. */
const CHANGES = {
  unified: { meanwhile: "upgrading", refused: "upgrade_disabled" },
  classic: { meanwhile: "switching", refused: "switch_disabled" },
} as const satisfies Readonly<Record<Goal, object>>;
const CHANGE_MS = 60_000;
const TRADING_KINDS: readonly WalletKind[] = ["spot", "usdt-futures", "coin-futures", "usdc-futures", "crossed-margin"];

/**
 * Upgrades Classic accounts to unified ones and back. Open orders, and trigger orders that would place one, are cancelled;
 * positions keep the trigger orders that close them, and the coins of all trading wallets are moved to the wallets of the new
 * mode.
 */
export class AccountModes {
  readonly #changes = new Map<string, ModeChange>();

  constructor(
    private readonly state: State,
    private readonly timeline: WorldTime,
    private readonly service: OrderService,
    private readonly plans: PlanService,
    private readonly planStore: PlanStore,
  ) {}

  /** The latest change of an account's mode, if it has this target. */
  statusOf(uid: string, goal: Goal): ModeChange | undefined {
    const change = this.#changes.get(uid);
    return change?.goal === goal ? change : undefined;
  }

  /** From Classic to unified. Refused if the position modes of product types differ. */
  upgrade(uid: string): ModeChange {
    const account = this.state.accounts.of(uid);
    const modes = new Set(FUTURES_CATEGORIES.map((category) => account.holdMode(category)));
    return this.#change(account, "unified", account.mode === "classic" && modes.size === 1, () => {
      for (const kind of TRADING_KINDS) this.#move(uid, kind, "unified");
    });
  }

  /** From unified back to Classic. Refused with open positions, because their margin could not be divided. */
  downgrade(uid: string): ModeChange {
    const account = this.state.accounts.of(uid);
    const isBusy = [...this.state.positions.open(uid)].length > 0 || this.state.debts.owes(uid);
    return this.#change(account, "classic", account.mode === "unified" && !isBusy, () => this.#move(uid, "unified", "spot"));
  }

  /** Begins a change, if it is possible. One in progress is the answer to requests for another one. */
  #change(account: Account, goal: Goal, isPossible: boolean, moveCoins: () => void): ModeChange {
    const { uid } = account;
    const underWay = this.#changes.get(uid);
    if (underWay?.status === "process") return underWay;
    if (!isPossible) return this.#set(uid, { goal, status: "fail", reason: CHANGES[goal].refused });
    for (const order of [...this.state.orders.open(uid)]) this.service.cancel(order, "trader_order_cancel");
    for (const plan of this.planStore.waiting(uid)) if (plan.action.kind === "order") this.plans.cancel(plan);
    account.mode = CHANGES[goal].meanwhile;
    this.timeline.at(this.state.now() + CHANGE_MS, () => {
      account.mode = goal;
      moveCoins();
      this.#set(uid, { goal, status: "success" });
      this.state.events.emit({ kind: "settings", uid });
    });
    return this.#set(uid, { goal, status: "process" });
  }

  #move(uid: string, fromKind: WalletKind, toKind: WalletKind): void {
    const from = walletOf(uid, fromKind);
    const to = walletOf(uid, toKind);
    for (const [coin, balance] of this.state.ledger.coins(from)) {
      const cause = causeOf("account mode");
      for (const bucket of ["available", "frozen", "locked"] as const) {
        this.state.ledger.transfer({ wallet: from, bucket }, { wallet: to, bucket }, coin, balance[bucket], cause);
      }
    }
    this.state.debts.hand(from, to);
  }

  #set(uid: string, change: ModeChange): ModeChange {
    this.#changes.set(uid, change);
    return change;
  }
}
