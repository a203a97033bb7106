import { execute, type GraphQLError } from "graphql";
import { ClientRequester, clientOf } from "../../access/clientRequester.js";
import type { Origin } from "../../access/principal/auditTrail.js";
import type { Caller } from "../../access/principal/caller.js";
import { Attendance } from "../../access/principal/presence.js";
import type { Requester } from "../../datasources/index.js";
import { groupKey } from "../../engine/subscriptions/fanOut.js";
import { type AskedOperation, isMutation, isSubscription, type ReadOperation } from "../../engine/subscriptions/operation.js";
import { refusal } from "../http/answer.js";
import { asGraphqlError, type Execution } from "../shared/execution.js";
import type { StreamLine } from "./streamLine.js";

/** Who asks for an operation over an event stream, and how. */
export interface Asking {
  readonly token: string | undefined;
  readonly caller: Caller;
  readonly mayMutate: boolean;
  readonly origin: Origin;
}

const MUTATION_BY_GET = refusal(405, "Mutations are sent with POST.").body;

/** Runs an operation; its results, and what is wrong with it, leave over a line of an event stream. */
export async function runStreamed(
  execution: Execution,
  operation: AskedOperation,
  asking: Asking,
  line: StreamLine,
): Promise<void> {
  const { operations, attempt, audit, callers, shown, written } = execution;
  const { token, caller, mayMutate, origin } = asking;
  const presence = new Attendance();
  line.onceGone(() => presence.leave());
  const requester = new ClientRequester(callers, token, caller, clientOf(caller, origin.address), presence);
  const answer = (errors: readonly GraphQLError[]) => line.end(JSON.stringify({ errors: shown(errors, origin) }));
  const read = operations.read(operation, caller);
  if (!("args" in read)) return answer(read);
  if (isSubscription(read)) return listen(execution, operation.query, read, { caller, requester }, line, answer);
  if (isMutation(read) && !mayMutate) {
    read.admission.ended(0);
    return line.end(MUTATION_BY_GET);
  }
  const attempted = attempt(read.args, caller, audit.mutationsOf(origin), requester);
  const { data = null, errors } = await execute(attempted.args);
  read.admission.ended(attempted.upstreamCalls);
  if (isMutation(read)) written();
  line.end(JSON.stringify(errors === undefined ? { data } : { data, errors: shown(errors, origin) }));
}

async function listen(
  { fanOut, attempt }: Execution,
  query: string,
  read: ReadOperation,
  { caller, requester }: { readonly caller: Caller; readonly requester: Requester },
  line: StreamLine,
  answer: (errors: readonly GraphQLError[]) => void,
): Promise<void> {
  try {
    const begin = (all: Requester) => attempt(read.args, caller.asListener, undefined, all);
    const seated = await fanOut.join(groupKey(caller, read, query), begin, line, requester);
    if (!(Symbol.asyncIterator in seated)) return answer(seated.errors ?? []);
    if (line.isGone) return void seated.return();
    line.onceGone(() => void seated.return());
    await seated.next();
    line.end();
  } catch (error) {
    answer([asGraphqlError(error)]);
  }
}
