import type { ExchangeAccount } from "../../calls/index.js";
import type { Fault } from "../../errors/index.js";
import type { StreamsOfAccounts } from "../channels/index.js";
import type { Listener, StateView, Unlisten } from "../listening.js";
import { type AccountHoldings, type HeldFuturesAccount, walletKey } from "../state/holdings.js";
import { isSame } from "../state/merge.js";

/** Holdings of an account, updated between two messages of the exchange as prices change. */
export function markedHoldings(
  { accounts, figures }: StreamsOfAccounts,
  account: ExchangeAccount,
  listener: Listener<AccountHoldings>,
  view: StateView = {},
): Unlisten {
  const shown = new Map<string, HeldFuturesAccount>();
  let isStale = true;
  const leaves: Unlisten[] = [];
  const stop = (): void => {
    for (const leave of leaves.splice(0)) leave();
  };
  const failed = (fault: Fault): void => {
    stop();
    listener.failed(fault);
  };
  const changed = (wallets: readonly HeldFuturesAccount[]): readonly HeldFuturesAccount[] => {
    const unequal = wallets.filter((wallet) => {
      const last = shown.get(walletKey(wallet));
      return last === undefined || !isSame(wallet, last);
    });
    for (const wallet of unequal) shown.set(walletKey(wallet), wallet);
    return unequal;
  };
  leaves.push(
    accounts.listen(
      "accountUpdates",
      account,
      {
        next: (event) => {
          isStale = event.stale;
          changed(event.value.futures);
          listener.next(event);
        },
        failed,
      },
      view,
    ),
    figures.follow(account, {
      next: ({ time, value }) => {
        const futures = changed(value.futures);
        if (isStale || (value.unified === null && futures.length === 0)) return;
        if (view.isWhole === true) listener.next({ kind: "snapshot", time, stale: false, value });
        else listener.next({ kind: "update", time, stale: false, value: { unified: value.unified, spot: [], futures } });
      },
      // Without the account's other streams its figures are the exchange's.
      failed: () => undefined,
    }),
  );
  return stop;
}
