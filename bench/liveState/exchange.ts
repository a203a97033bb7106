import { systemClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { startSandbox } from "@exchange-graph/sandbox";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { report } from "../child.js";

/**
 * The sandbox on the system clock. A number sent to it is the rate per second at which it places orders for an account, without
 * the gateway. The `clientOid` of each order contains the time at which it was placed.
 */

const sandbox = await startSandbox({ clock: systemClock });
let timer: NodeJS.Timeout | undefined;
let last: string | undefined;

function placeOne(): void {
  const { orders } = sandbox.world;
  if (last !== undefined) orders.cancel(MAIN_UID, "SPOT", { clientOid: last });
  last = `at-${Date.now()}`;
  orders.place({
    uid: MAIN_UID,
    category: "SPOT",
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "limit",
    quantity: exact("0.001"),
    price: exact("20000"),
    clientOid: last,
  });
}

process.on("message", (message) => {
  if (typeof message !== "number") return;
  clearInterval(timer);
  timer = message === 0 ? undefined : setInterval(placeOne, 1_000 / message);
});
report(`${sandbox.url} ${sandbox.wsUrl}`);
