import { Gauge, type Registry } from "prom-client";
import type { WatchedFiles } from "../../files/watchedFiles.js";

/** Which settings' files have changed and cannot be used. */
export function fileState(registry: Registry, files: WatchedFiles): void {
  new Gauge({
    name: "exchange_graph_unusable_files",
    help: "1 for each setting whose file has changed and cannot be used, so that what it said before still holds; nothing for those in order",
    labelNames: ["setting"],
    registers: [registry],
    collect() {
      this.reset();
      for (const setting of files.failing.keys()) this.set({ setting }, 1);
    },
  });
}
