import { now } from "../state/clock.js";
import { line, session } from "./session.js";

/** A write waits for the line to the gateway for at most this long, ms: the market has moved after that. */
export const HELD_MS = 30_000;

/** Why a held write was not sent. */
export type Unsent = "withdrawn" | "late";

/**
 * Resolves once the line to the gateway is there: to undefined, or to the reason why the write must not be sent. Nothing is sent
 * meanwhile.
 */
export function lineBack(withdrawal: AbortSignal): Promise<Unsent | undefined> {
  if (line.value.state !== "lost") return Promise.resolve(undefined);
  const until = now() + HELD_MS;
  return new Promise((resolve) => {
    const end = (result: Unsent | undefined) => {
      clearTimeout(timer);
      for (const leave of leaving) leave();
      withdrawal.removeEventListener("abort", withdrawn);
      resolve(result);
    };
    const withdrawn = () => end("withdrawn");
    const timer = setTimeout(() => end("late"), HELD_MS);
    // A suspended tab runs its timers late.
    const leaving = [
      line.subscribe(() => {
        if (line.value.state === "live") end(now() < until ? undefined : "late");
      }),
      // It is never sent with another token.
      session.subscribe(withdrawn),
    ];
    withdrawal.addEventListener("abort", withdrawn);
  });
}
