import type { Exact } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { bound } from "../bounded.js";
import { Refused } from "../refused.js";
import type { Account } from "./accounts.js";
import { causeOf } from "./cause.js";
import { categoryOfWallet, isUnified } from "./funds/wallets.js";
import { type WalletKind, walletOf, ZERO } from "./ledger.js";
import { classicMargin } from "./margin/classic.js";
import { unifiedMargin } from "./margin/unified.js";
import { down, least, most } from "./money.js";
import { Register } from "./register.js";
import { type State, usdtPrice } from "./state.js";

/** A wallet of a user; isolated margin has one per pair. */
export interface WalletRef {
  readonly uid: string;
  readonly kind: WalletKind;
  readonly symbol?: string | undefined;
}

/** A completed transfer between wallets. */
export interface Transfer {
  readonly transferId: string;
  readonly clientOid: string;
  readonly coin: string;
  readonly amount: Exact;
  readonly from: WalletRef;
  readonly to: WalletRef;
  /** Unix ms. */
  readonly createdTime: number;
}

const KEPT_PER_USER = 5_000;

/** Number of transfers that are kept by their client ids. */
const REMEMBERED = 10_000;

const CLASSIC_ONLY: readonly WalletKind[] = [
  "spot",
  "usdt-futures",
  "coin-futures",
  "usdc-futures",
  "crossed-margin",
  "isolated-margin",
];

/** Moves coins between the wallets of one user, or of a master and its sub-accounts. */
export class Transfers {
  readonly #byClientOid = new Map<string, Transfer>();
  /** What users have sent and received. */
  readonly records = new Register<Transfer>(({ transferId }) => transferId, KEPT_PER_USER);

  constructor(private readonly state: State) {}

  /** Moves available coins of the wallet. A repeated client id returns the first transfer and moves nothing. */
  transfer(from: WalletRef, to: WalletRef, coin: string, amount: Exact, clientOid = ""): Transfer {
    const key = `${from.uid}/${clientOid}`;
    const existing = clientOid === "" ? undefined : this.#byClientOid.get(key);
    if (existing !== undefined) return existing;
    this.#checkWallet(from, "fromType");
    this.#checkWallet(to, "toType");
    if (!accepts(to.kind, coin)) throw new Refused(REFUSAL.unknownValue, "coin");
    if (amount.gt(this.transferable(from, coin))) throw new Refused(REFUSAL.beyondTransferable);
    const transferId = this.state.ids.next();
    const target = walletOf(to.uid, to.kind, to.symbol);
    this.state.ledger.move(walletOf(from.uid, from.kind, from.symbol), target, coin, amount, causeOf("transfer", transferId));
    this.state.debts.repay(target, coin);
    const transfer = { transferId, clientOid, coin, amount, from, to, createdTime: this.state.now() };
    for (const uid of new Set([from.uid, to.uid])) this.records.enter(uid, transfer);
    if (clientOid !== "") this.#byClientOid.set(key, transfer);
    bound(this.#byClientOid, REMEMBERED);
    return transfer;
  }

  /** Maximum transferable amount: neither frozen nor used as margin. */
  transferable({ uid, kind, symbol }: WalletRef, coin: string): Exact {
    const { available } = this.state.ledger.balance(walletOf(uid, kind, symbol), coin);
    if (kind === "unified") {
      const free = most(ZERO, unifiedMargin(this.state, uid).free);
      return least(available, down(free.div(usdtPrice(this.state, coin))));
    }
    const category = categoryOfWallet(kind);
    return category === undefined ? available : least(available, classicMargin(this.state, uid, category, coin).free);
  }

  #checkWallet({ uid, kind }: WalletRef, parameter: string): void {
    const account: Account = this.state.accounts.of(uid);
    if (isUnified(account) ? CLASSIC_ONLY.includes(kind) : kind === "unified") throw new Refused(REFUSAL.unknownValue, parameter);
  }
}

/** Futures wallets accept the margin coins of their contracts. */
function accepts(kind: WalletKind, coin: string): boolean {
  if (kind === "usdt-futures") return coin === "USDT";
  if (kind === "usdc-futures") return coin === "USDC";
  return kind !== "coin-futures" || (coin !== "USDT" && coin !== "USDC");
}
