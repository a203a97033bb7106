import { type ModeChange, upgradeStatus } from "@exchange-graph/contract/account";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Reads } from "../reads/reads.js";

/** How far the upgrade of an account, or of one of its sub-accounts, has come. */
export const readUpgradeStatus = (reads: Reads, account: ExchangeAccount, subUid: string | null): Promise<ModeChange> =>
  reads.read(upgradeStatus, { subUid: subUid ?? undefined }, account);
