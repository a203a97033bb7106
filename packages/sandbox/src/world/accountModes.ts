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

const UPGRADE_REFUSED: ModeChange = { goal: "unified", status: "fail", reason: "upgrade_disabled" };
const SWITCH_REFUSED: ModeChange = { goal: "classic", status: "fail", reason: "switch_disabled" };
/** The account's mode during the change. */
const MEANWHILE = { unified: "upgrading", classic: "switching" } as const satisfies Readonly<Record<Goal, string>>;
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
    const underWay = this.#underWay(uid);
    if (underWay !== undefined) return underWay;
    if (account.mode !== "classic") return this.#set(uid, UPGRADE_REFUSED);
    const modes = new Set(FUTURES_CATEGORIES.map((category) => account.holdMode(category)));
    if (modes.size > 1) return this.#set(uid, UPGRADE_REFUSED);
    return this.#begin(account, "unified", () => {
      account.mode = "unified";
      for (const kind of TRADING_KINDS) this.#move(uid, kind, "unified");
    });
  }

  /** From unified back to Classic. Refused with open positions, because their margin could not be divided. */
  downgrade(uid: string): ModeChange {
    const account = this.state.accounts.of(uid);
    const underWay = this.#underWay(uid);
    if (underWay !== undefined) return underWay;
    const isBusy = [...this.state.positions.open(uid)].length > 0 || this.state.debts.owes(uid);
    if (account.mode !== "unified" || isBusy) return this.#set(uid, SWITCH_REFUSED);
    return this.#begin(account, "classic", () => {
      account.mode = "classic";
      this.#move(uid, "unified", "spot");
    });
  }

  /** The change in progress: it is the answer to requests for another one. */
  #underWay(uid: string): ModeChange | undefined {
    const change = this.#changes.get(uid);
    return change?.status === "process" ? change : undefined;
  }

  #begin(account: Account, goal: Goal, finish: () => void): ModeChange {
    const { uid } = account;
    for (const order of [...this.state.orders.open(uid)]) this.service.cancel(order, "trader_order_cancel");
    for (const plan of this.planStore.waiting(uid)) if (plan.action.kind === "order") this.plans.cancel(plan);
    account.mode = MEANWHILE[goal];
    this.timeline.at(this.state.now() + CHANGE_MS, () => {
      finish();
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
