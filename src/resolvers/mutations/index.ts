import { AccountMutations, ModifiedSubAccountResolver, UpgradedAccountResolver } from "./accountManagement.js";
import { AdjustedPositionResolver, MarginModeResolver, SettingsMutations } from "./accountSettings.js";
import { AccountSwitchResolver, DeadMansSwitchMutations } from "./deadMansSwitch.js";
import { FundsMutations, RedeemedSavingsResolver } from "./funds.js";
import { HaltMutations } from "./halt.js";
import { JournalResolver, UserErrorResolver } from "./journal.js";
import { JOURNAL_EDGES } from "./journalEdges.js";
import { ManyOrdersMutations } from "./manyOrders.js";
import { ORDER_JOINS, PLAN_ORDER_JOINS } from "./orderJoins.js";
import { OrderMutations } from "./orders.js";

/** All mutations, and the journal. */
export const MUTATIONS = [
  AccountMutations,
  AccountSwitchResolver,
  AdjustedPositionResolver,
  DeadMansSwitchMutations,
  MarginModeResolver,
  FundsMutations,
  HaltMutations,
  JournalResolver,
  ModifiedSubAccountResolver,
  OrderMutations,
  RedeemedSavingsResolver,
  ManyOrdersMutations,
  ...PLAN_ORDER_JOINS,
  SettingsMutations,
  UpgradedAccountResolver,
  UserErrorResolver,
  ...JOURNAL_EDGES,
  ...ORDER_JOINS,
] as const;
