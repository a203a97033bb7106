/** The events that every server of this comparison pushes, each with the time at which it was due. */

export interface Tick {
  readonly symbol: string;
  readonly lastPrice: string;
  readonly bid1Price: string;
  readonly ask1Price: string;
  /** Unix ms. */
  readonly time: number;
}

/**
 * Calls back at the rate that the parent process sets by a message. Each event has the time at which an exchange would have
 * pushed it, so the measured delay includes the time by which a server is late.
 */
export function everyTick(push: (tick: Tick) => void): void {
  let perSecond = 0;
  let from = 0;
  let pushed = 0;
  process.on("message", (message) => {
    if (typeof message !== "number") return;
    [perSecond, from, pushed] = [message, Date.now(), 0];
  });
  setInterval(() => {
    const due = Math.floor(((Date.now() - from) * perSecond) / 1_000);
    for (; pushed < due; pushed++) {
      const lastPrice = `${60_000 + (pushed % 1_000)}.5`;
      const time = from + Math.ceil(((pushed + 1) * 1_000) / perSecond);
      push({ symbol: "BTCUSDT", lastPrice, bid1Price: lastPrice, ask1Price: lastPrice, time });
    }
  }, 1);
}

const FIELDS = "symbol lastPrice bid1Price ask1Price time";
const gatewaySubscription = (mode: "ALL" | "LATEST") =>
  `subscription { ticker(category: USDT_FUTURES, symbol: "BTCUSDT", pace: { mode: ${mode} }) { ticker { ${FIELDS} } } }`;

/** The subscription for the gateway: every event (`ALL`), or only the newest event if the listener is too slow (`LATEST`). */
export const GATEWAY_SUBSCRIPTION = gatewaySubscription("ALL");
export const GATEWAY_LATEST = gatewaySubscription("LATEST");
/** The subscription for the other servers. */
export const SUBSCRIPTION = `subscription { ticker(symbol: "BTCUSDT") { ${FIELDS} } }`;
