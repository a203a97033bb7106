/** What every server of this comparison pushes: the same figures, stamped with the moment they were due. */

export interface Tick {
  readonly symbol: string;
  readonly lastPrice: string;
  readonly bid1Price: string;
  readonly ask1Price: string;
  /** Unix ms. */
  readonly time: number;
}

/**
 * Calls back as often a second as it is asked to, from the first message on. Each event carries the moment at which it was
 * due, as an exchange would have pushed it: a server that falls behind finds it waiting.
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
const ours = (mode: "ALL" | "LATEST") =>
  `subscription { ticker(category: USDT_FUTURES, symbol: "BTCUSDT", pace: { mode: ${mode} }) { ticker { ${FIELDS} } } }`;

/** What a listener asks this gateway for: every event, or the newest one when it cannot be had otherwise. */
export const OUR_SUBSCRIPTION = ours("ALL");
export const OUR_NEWEST = ours("LATEST");
/** What it asks the others for. */
export const SUBSCRIPTION = `subscription { ticker(symbol: "BTCUSDT") { ${FIELDS} } }`;
