import { Fault } from "../fault.js";

/** For whom a call is made: a request, or whoever listens to a subscription. */
export interface Requester {
  /** Whose turns its calls take while they wait: one text for each client. */
  readonly client: string;
  /** How many turns at a time it has beside others: a whole number from 1 on. */
  readonly weight: number;
  /** Why nothing more is to be sent for it: it may not do any more what it asked for, or nobody waits for it. */
  refusal(): Fault | undefined | Promise<Fault | undefined>;
  /** Calls once as soon as there is a refusal, at once if there is one. The returned function stops that. */
  onceRefused(task: (why: Fault) => void): () => void;
}

/** Nobody waits for the answer any more. */
export const clientGone = (): Fault => new Fault("CLIENT_GONE", "the client has gone before this was sent; nothing was sent");

const nothing = (): undefined => undefined;
const never = () => nothing;

/** What the gateway reads by itself is read for all. A `client` only says whose turns it takes. */
export const gatewayFor = ({ client, weight }: Pick<Requester, "client" | "weight">): Requester => ({
  client,
  weight,
  refusal: nothing,
  onceRefused: never,
});
/** The gateway itself. */
export const GATEWAY = gatewayFor({ client: "", weight: 1 });
/** The state of accounts is read for all who look at them, and saves all their calls: it has as many turns as so many clients. */
export const LIVE_STATE = gatewayFor({ client: "(live state)", weight: 16 });

/** The same requester for a call that is sent even if nobody waits for its answer. */
export const evenIfGone = (requester: Requester): Requester => {
  const unlessGone = (why: Fault | undefined): Fault | undefined => (why?.code === "CLIENT_GONE" ? undefined : why);
  return {
    client: requester.client,
    weight: requester.weight,
    refusal() {
      const found = requester.refusal();
      return found instanceof Promise ? found.then(unlessGone) : unlessGone(found);
    },
    onceRefused: (task) => requester.onceRefused((why) => unlessGone(why) && task(why)),
  };
};

/** Those who share one call: it goes on as long as it is wanted by one of them. */
export class SharedRequester implements Requester {
  readonly client: string;
  readonly weight: number;
  readonly #members = new Set<Requester>();
  readonly #tasks = new Set<(why: Fault) => void>();
  /** One that has no refusal is watched, and the next one only when it has. */
  #unwatch: (() => void) | undefined;

  constructor(first: Requester) {
    this.client = first.client;
    this.weight = first.weight;
    this.#members.add(first);
  }

  join(member: Requester): void {
    this.#members.add(member);
  }

  leave(member: Requester): void {
    this.#members.delete(member);
  }

  refusal(): Fault | undefined | Promise<Fault | undefined> {
    let last: Fault | undefined;
    const pending: Promise<Fault | undefined>[] = [];
    for (const member of this.#members) {
      const why = member.refusal();
      if (why === undefined) return undefined;
      if (why instanceof Promise) pending.push(why);
      else last = why;
    }
    if (pending.length === 0) return last ?? clientGone();
    return Promise.all(pending).then((all) => (all.includes(undefined) ? undefined : all[0]));
  }

  onceRefused(task: (why: Fault) => void): () => void {
    this.#tasks.add(task);
    if (this.#unwatch === undefined) this.#watch(clientGone());
    return () => {
      this.#tasks.delete(task);
      if (this.#tasks.size > 0) return;
      this.#unwatch?.();
      this.#unwatch = undefined;
    };
  }

  #watch(last: Fault): void {
    const [member] = this.#members;
    if (member === undefined) {
      this.#unwatch = undefined;
      const tasks = [...this.#tasks];
      this.#tasks.clear();
      for (const task of tasks) task(last);
      return;
    }
    let isOver = false;
    const unwatch = member.onceRefused((why) => {
      isOver = true;
      this.#members.delete(member);
      this.#watch(why);
    });
    if (!isOver) this.#unwatch = unwatch;
  }
}
