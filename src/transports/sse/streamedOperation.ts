import { GraphQLError, OperationTypeNode } from "graphql";
import { isPosition, type OperationRequest } from "../../engine/documents/operationRequest.js";
import type { Engine } from "../../engine/engine.js";
import { badRequest } from "../../engine/errors/coded.js";
import { type Arrival, EndablePresence } from "../arrival/arrival.js";
import type { StreamLine } from "./streamLine.js";
import { lastEventIdOf } from "./streamRequest.js";

const MUTATION_BY_GET = badRequest("Mutations are sent with POST.");
const refusedByGet = (kind: OperationTypeNode): GraphQLError | undefined =>
  kind === OperationTypeNode.MUTATION ? MUTATION_BY_GET : undefined;

/** Executes an operation; its results and errors are written to a line of an event stream. */
export async function runStreamed(
  engine: Engine,
  arrival: Arrival,
  operation: OperationRequest | GraphQLError,
  line: StreamLine,
): Promise<void> {
  const presence = new EndablePresence();
  line.onceGone(() => presence.leave());
  const caller = arrival.caller(presence);
  await arrival.turn(caller.requester);
  if (presence.isGone) return;
  if (operation instanceof GraphQLError) return line.end(engine.results.failed(operation, caller).text);
  const lastEventId = lastEventIdOf(arrival.request);
  const { after = isPosition(lastEventId) ? lastEventId : undefined } = operation;
  const ready = engine.read({
    caller,
    operation: after === undefined ? operation : { ...operation, after },
    refuses: arrival.request.method === "POST" ? undefined : refusedByGet,
  });
  if ("text" in ready) return line.end(ready.text);
  if (ready.kind !== OperationTypeNode.SUBSCRIPTION) return line.end((await engine.run(ready)).text);
  const membership = await engine.subscribe(ready, line);
  if ("text" in membership) return line.end(membership.text);
  if (line.isGone) return void membership.return();
  line.onceGone(() => void membership.return());
  try {
    await membership.next();
    line.end();
  } catch (error) {
    line.end(engine.results.failed(error, caller).text);
  }
}
