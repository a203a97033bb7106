import { startSandbox } from "@exchange-graph/sandbox";
import { report } from "../child.js";

/** The sandbox with its rate limits, for which the clients wait. */
const sandbox = await startSandbox({ signedQuery: "decoded" });
report(`${sandbox.url} ${sandbox.wsUrl}`);
