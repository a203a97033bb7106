import { startSandbox } from "@exchange-graph/sandbox";
import { report } from "../child.js";

/** The sandbox with its rate limits: they are what clients wait for. */
const sandbox = await startSandbox({ signedQuery: "decoded" });
report(sandbox.url);
