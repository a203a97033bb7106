import { GraphQLError, OperationTypeNode } from "graphql";
import { ClientRequester, clientOf } from "../../access/clientRequester.js";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import { Attendance } from "../../access/principal/presence.js";
import type { AskedOperation } from "../../engine/askedOperation.js";
import { isPosition, type OperationRequest } from "../../engine/documents/operationRequest.js";
import { badRequest } from "../../engine/errors/coded.js";
import type { Origin } from "../../instrumentation/events.js";
import type { Execution } from "../shared/execution.js";
import type { StreamLine } from "./streamLine.js";

/** The client and request of an operation over an event stream. */
export interface Asking {
  readonly token: string | undefined;
  readonly principal: ClientPrincipal;
  readonly mayMutate: boolean;
  /** Whether answers include the trace and the cost. */
  readonly isTraced: boolean;
  /** Position after which a browser's `EventSource` resumes. */
  readonly lastEventId?: string | undefined;
  readonly origin: Origin;
}

const MUTATION_BY_GET = badRequest("Mutations are sent with POST.");
const refusedByGet = (kind: OperationTypeNode): GraphQLError | undefined =>
  kind === OperationTypeNode.MUTATION ? MUTATION_BY_GET : undefined;

/** Executes an operation; its results and errors are written to a line of an event stream. */
export async function runStreamed(
  { engine, clients }: Execution,
  operation: OperationRequest | GraphQLError,
  { token, principal, mayMutate, isTraced, lastEventId, origin }: Asking,
  line: StreamLine,
): Promise<void> {
  const presence = new Attendance();
  line.onceGone(() => presence.leave());
  const requester = new ClientRequester(clients, token, principal, clientOf(principal, origin.address), presence);
  const asking = { principal, requester, origin };
  await engine.begin(requester);
  if (presence.isGone) return;
  if (operation instanceof GraphQLError) return line.end(engine.failed(operation, asking).text);
  const { after = isPosition(lastEventId) ? lastEventId : undefined } = operation;
  const isTracedNow = isTraced || operation.isTraced;
  const asked: AskedOperation = {
    ...asking,
    operation: { ...operation, isTraced: isTracedNow, ...(after !== undefined && { after }) },
  };
  const ready = engine.read(mayMutate ? asked : { ...asked, refuses: refusedByGet });
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
    line.end(engine.failed(error, asking).text);
  }
}
