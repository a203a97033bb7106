import { type RefObject, useEffect, useRef } from "react";
import { withdrawHeld } from "../graph/writes.js";
import { now } from "../state/clock.js";

/**
 * Whether this dialog was closed: an answer that arrives after that must not close what was opened in its place. What it has written
 * and still waits for the line to the gateway is withdrawn: it was left, and nobody expects it to be sent.
 */
export function useIsGone(): RefObject<boolean> {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    const openedAt = now();
    return () => {
      isGone.current = true;
      withdrawHeld(openedAt);
    };
  }, []);
  return isGone;
}
