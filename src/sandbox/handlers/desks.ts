import type { Desks } from "../world/desks.js";
import { brokerHandlers } from "./broker.js";
import { convertHandlers } from "./convert.js";
import type { Handler } from "./handler.js";
import { loanHandlers } from "./loan.js";
import { savingsHandlers } from "./savings.js";
import { sharkFinHandlers } from "./sharkFin.js";
import { walletHandlers } from "./wallet.js";

/** Everything that the desks answer. `coins` are all that the exchange lists. */
export const deskHandlers = (desks: Desks, coins: readonly string[], now: () => number): readonly Handler[] => [
  ...loanHandlers(desks.loans),
  ...sharkFinHandlers(desks.sharkFin),
  ...savingsHandlers(desks.savings),
  ...brokerHandlers(desks.broker, coins),
  ...convertHandlers(desks.convert),
  ...walletHandlers(desks.withdrawals, now),
];
