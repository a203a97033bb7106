// Loaded before the product: its time passes `factor` times as fast as the machine's since `since`, when it was `from` (Unix ms).
// Short waits take as long as ever: most of them are deadlines, which a busy machine must be able to meet.
const { from, since, factor } = JSON.parse(new URL(import.meta.url).searchParams.get("time"));
const LONG_MS = 20_000;

const machineNow = Date.now;
Date.now = () => Math.round(from + (machineNow() - since) * factor);
Object.defineProperty(performance, "now", { value: () => Date.now() - performance.timeOrigin });

const { setTimeout: machineTimer } = globalThis;
globalThis.setTimeout = (task, delayMs = 0, ...values) =>
  machineTimer(task, delayMs < LONG_MS ? delayMs : delayMs / factor, ...values);
