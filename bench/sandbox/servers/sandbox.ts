import { startSandbox } from "@exchange-graph/sandbox";
import { report } from "../../child.js";

/** The standalone sandbox. Rate limits are counted but not enforced, since they would stop the load. */
const sandbox = await startSandbox({ enforceLimits: false });
report(sandbox.url, () => sandbox.sockets.gauges.sent);
