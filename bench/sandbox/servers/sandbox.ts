import { startSandbox } from "@exchange-graph/sandbox";
import { report } from "../../child.js";

/** The sandbox as it stands alone. Limits are counted and not kept: the load would end with the first of them. */
const sandbox = await startSandbox({ enforceLimits: false });
report(sandbox.url, () => sandbox.sockets.gauges.sent);
