import { useState } from "react";

/**
 * What is shown above a button, while the pointer or the focus is on that: something else there would move it. `on` is for the
 * button, with what is shown now.
 */
export function useHold<Shown>() {
  const [held, hold] = useState<Shown>();
  const release = () => hold(undefined);
  const on = (shown: Shown) => ({
    onPointerEnter: () => hold(shown),
    onPointerLeave: release,
    onFocus: () => hold(shown),
    onBlur: release,
  });
  return { held, on };
}
