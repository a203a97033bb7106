import type { GraphAnswer } from "./http.js";
import type { Refusal } from "./subscription.js";
import type { Client, Operation, RequestOptions } from "./types.js";

/** An observer of an operation's results. */
interface Observer {
  next(answer: GraphAnswer): void;
  /** The subscription is interrupted, and resumes by itself. */
  lost?(reason: string, refusal?: Refusal): void;
  error(error: unknown): void;
  complete(): void;
}

/** Executes a library's operation with the client; the returned function ends it. */
export function forward(
  client: Client,
  operation: Operation,
  observer: Observer,
  requestOptions: Pick<RequestOptions, "trace"> = {},
): () => void {
  if (operation.kind === "subscription")
    return client.listen(operation, {
      next: (answer) => observer.next(answer),
      lost: (reason, refusal) => observer.lost?.(reason, refusal),
      error(errors) {
        const shown = errors.map(({ message, path, ...extensions }) => ({ message, ...(path && { path }), extensions }));
        observer.next({ data: null, errors: shown });
        observer.complete();
      },
      complete: () => observer.complete(),
    });
  const ending = new AbortController();
  client.send(operation, { ...requestOptions, signal: ending.signal }).then(
    (answer) => {
      observer.next(answer);
      observer.complete();
    },
    (error: unknown) => {
      if (!ending.signal.aborted) observer.error(error);
    },
  );
  return () => ending.abort();
}
