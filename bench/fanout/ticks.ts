/** What every server of this comparison pushes: the same figures, so often, stamped with the moment they left. */

export const PER_SECOND = 100;

export interface Tick {
  readonly symbol: string;
  readonly lastPrice: string;
  readonly bid1Price: string;
  readonly ask1Price: string;
  /** Unix ms. */
  readonly time: number;
}

let count = 0;

/** Calls back a hundred times a second from the word on; late ones are made up for, as an exchange would push them. */
export function everyTick(push: (tick: Tick) => void): void {
  process.on("message", (message) => {
    if (message !== "begin") return;
    const start = performance.now();
    setInterval(() => {
      const due = Math.floor(((performance.now() - start) * PER_SECOND) / 1_000);
      while (count < due) {
        count++;
        const lastPrice = `${60_000 + (count % 1_000)}.5`;
        push({ symbol: "BTCUSDT", lastPrice, bid1Price: lastPrice, ask1Price: lastPrice, time: Date.now() });
      }
    }, 1_000 / PER_SECOND);
  });
}

const FIELDS = "symbol lastPrice bid1Price ask1Price time";
/** What a listener asks this gateway for, and what it asks the others for. */
export const OUR_SUBSCRIPTION = `subscription { ticker(category: USDT_FUTURES, symbol: "BTCUSDT", pace: { mode: ALL }) { ${FIELDS} } }`;
export const SUBSCRIPTION = `subscription { ticker(symbol: "BTCUSDT") { ${FIELDS} } }`;
