import { type RefObject, useEffect, useRef } from "react";

/** Whether this component was removed: an answer that arrives after that must not close what was opened in its place. */
export function useIsGone(): RefObject<boolean> {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return isGone;
}
