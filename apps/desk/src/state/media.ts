import { useSyncExternalStore } from "react";

const phone = matchMedia("(max-width: 700px)");

function onChange(reader: () => void): () => void {
  phone.addEventListener("change", reader);
  return () => phone.removeEventListener("change", reader);
}

/** Whether the screen is as narrow as that of a phone. */
export const useIsPhone = (): boolean => useSyncExternalStore(onChange, () => phone.matches);
