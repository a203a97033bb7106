import type { RequestListener } from "node:http";
import { refusalsIn } from "../../engine/errors/refusalCodes.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { AllowedHosts } from "../arrival/allowedHosts.js";
import { writeAnswer } from "./writeAnswer.js";

/** Wraps a listener so that requests for other hosts, or for several, are refused. */
export const onlyServed =
  (names: AllowedHosts, { refusal }: Instrumentation, nextRequestId: () => string, listener: RequestListener): RequestListener =>
  (request, response) => {
    const refused = names.refusalOf(request);
    if (refused === undefined) {
      listener(request, response);
      return;
    }
    const requestId = nextRequestId();
    const address = request.socket.remoteAddress;
    const origin = { who: null, address, over: "http", requestId } as const;
    refusal.publish({ origin, operation: undefined, codes: refusalsIn(undefined, refused.status) });
    writeAnswer(response, { ...refused, isLast: true }, requestId);
  };
