import { Fault } from "../../errors/index.js";

/** The origin of a call: a request, or the listeners of a subscription. */
export interface Requester {
  /** Key under which its calls take turns while they wait: one per client. */
  readonly client: string;
  /** Its weight beside others: a whole number from 1. */
  readonly weight: number;
  /** The reason why nothing more may be sent for it: it lost its rights, or no client waits for the answer. */
  refusal(): Fault | undefined | Promise<Fault | undefined>;
  /** Calls once when there is a refusal, at once if there already is. The returned function cancels it. */
  onceRefused(task: (why: Fault) => void): () => void;
}

/** The refusal if no client waits for the answer any more. */
export const clientGone = (): Fault => new Fault("CLIENT_GONE", "the client disconnected; nothing was sent");

const nothing = (): undefined => undefined;
const never = () => nothing;

/** The gateway itself as requester, for reads that serve all clients. `client` only determines its turns. */
export const gatewayFor = ({ client, weight }: Pick<Requester, "client" | "weight">): Requester => ({
  client,
  weight,
  refusal: nothing,
  onceRefused: never,
});
export const GATEWAY = gatewayFor({ client: "", weight: 1 });
/** Reads of account state that replace calls of many clients, and so have the weight of several. */
export const LIVE_STATE = gatewayFor({ client: "(live state)", weight: 16 });

/** Returns the same requester for a call that is sent even if no client waits for its answer. */
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

/** The requesters that share one call: it continues as long as one of them wants it. */
export class SharedRequester implements Requester {
  readonly client: string;
  readonly weight: number;
  /** The only member, which most calls have; a set once there have been several. */
  #members: Requester | Set<Requester> | undefined;
  #tasks: Set<(why: Fault) => void> | undefined;
  /** One requester without a refusal is watched; the next one when it has been refused. */
  #unwatch: (() => void) | undefined;

  constructor(first: Requester) {
    this.client = first.client;
    this.weight = first.weight;
    this.#members = first;
  }

  join(member: Requester): void {
    if (this.#members instanceof Set) this.#members.add(member);
    else this.#members = this.#members === undefined ? member : new Set([this.#members, member]);
  }

  leave(member: Requester): void {
    if (this.#members instanceof Set) this.#members.delete(member);
    else if (this.#members === member) this.#members = undefined;
  }

  refusal(): Fault | undefined | Promise<Fault | undefined> {
    if (this.#members === undefined) return clientGone();
    if (!(this.#members instanceof Set)) return this.#members.refusal();
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
    const tasks = this.#tasks ?? new Set();
    this.#tasks = tasks;
    tasks.add(task);
    if (this.#unwatch === undefined) this.#watch(clientGone());
    return () => {
      tasks.delete(task);
      if (tasks.size > 0) return;
      this.#unwatch?.();
      this.#unwatch = undefined;
    };
  }

  #watch(last: Fault): void {
    const [member] = this.#members instanceof Set ? this.#members : [this.#members];
    if (member === undefined) {
      this.#unwatch = undefined;
      const tasks = [...(this.#tasks ?? [])];
      this.#tasks?.clear();
      for (const task of tasks) task(last);
      return;
    }
    let isOver = false;
    const unwatch = member.onceRefused((why) => {
      isOver = true;
      this.leave(member);
      this.#watch(why);
    });
    if (!isOver) this.#unwatch = unwatch;
  }
}
