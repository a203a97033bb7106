import { useEffect, useState } from "react";
import { nextTask } from "./task.js";

/** How many of the parts of a component are there: the first one, and one more with each task, so that none is long. */
export function useBuilt(all: number): number {
  const [built, setBuilt] = useState(1);
  useEffect(() => {
    if (built < all) void nextTask().then(() => setBuilt(built + 1));
  }, [built, all]);
  return built;
}
