import { type Exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { classicMarginMaxTransfer, maxTransferable, maxWithdrawal } from "@exchange-graph/contract/maximum";
import { Refused } from "../refused.js";
import { walletOf } from "../world/ledger.js";
import type { State } from "../world/state.js";
import type { Transfers } from "../world/transfers.js";
import { type Handler, signed } from "./handler.js";

const PLACES = 8;
const text = (amount: Exact): string => plain(truncated(amount, PLACES));

/** How much of a coin can leave a wallet. */
export function maximumHandlers({ ledger, catalogue }: State, transfers: Transfers): readonly Handler[] {
  const coinOf = (name: string): string => {
    const coin = inCapitals(name);
    if (!catalogue.coins.includes(coin)) throw new Refused(REFUSAL.unknownValue, "coin");
    return coin;
  };
  return [
    // Transfers do not borrow here.
    signed(maxTransferable, ({ values, uid }) => {
      const coin = coinOf(values.coin);
      const most = text(transfers.transferable({ uid, kind: "unified" }, coin));
      return { coin, maxTransfer: most, borrowMaxTransfer: most };
    }),
    // Withdrawals leave from the funding account alone.
    signed(maxWithdrawal, ({ values, uid }) => {
      const coin = coinOf(values.coin);
      const most = text(ledger.balance(walletOf(uid, "funding"), coin).available);
      return { coin, otcMaxWithdrawal: "0", spotMaxWithdrawal: most, utaMaxWithdrawal: "0", totalMaxWithdrawal: most };
    }),
    signed(classicMarginMaxTransfer, ({ values, uid }) => {
      const coin = coinOf(values.coin);
      return { coin, maxTransferOutAmount: text(transfers.transferable({ uid, kind: "crossed-margin" }, coin)) };
    }),
  ];
}
