interface FailedSeed {
  readonly seed: number;
  /** Default: 2. */
  readonly minutes?: number;
  /** What the product did wrong. */
  readonly did: string;
}

/** Seeds that once broke an invariant. */
export const FAILED_SEEDS: readonly FailedSeed[] = [
  {
    seed: 2,
    did: "answered REJECTED to an order under a key that another gateway had sent, because that order had used up the limit",
  },
  {
    seed: 5,
    minutes: 0.4,
    did: "did not read what was executed in a gap before the exchange's clock was set ahead by a day, and stated no gap",
  },
  {
    seed: 7,
    minutes: 20,
    did: "neither emitted nor reported as missing what happened while a key was replaced and the exchange was in maintenance",
  },
  { seed: 7, minutes: 1, did: "lost executions that a frozen connection still had when a new key replaced it" },
  { seed: 21, did: "the same, while an answer was lost" },
  { seed: 155, did: "left a lost close of more than the position UNKNOWN for ever, since the exchange had made it smaller" },
  { seed: 231, did: "emitted executions again that the replica before had emitted, after the exchange's clock was set back" },
  {
    seed: 292,
    did: "emitted executions from before a stream after a gap, since the exchange's clock had been set back before it",
  },
  { seed: 295, did: "stated a gap that began after the execution that was missing, which came later than its successors" },
  { seed: 300, did: "answered a read from before an order that it had confirmed, since another gateway had sent it" },
  {
    seed: 30246,
    did: "emitted an order's price of before a modification, when it was pushed late and had the same millisecond as what was read",
  },
  {
    seed: 33398,
    did: "answered with an order as open for ever that had ended before its list was read, when it was pushed late for the first time",
  },
  {
    seed: 35219,
    did: "emitted a position of before a change for ever, since the sandbox dated the change earlier after its clock was set back",
  },
  {
    seed: 38486,
    did: "stated a gap that ended before the execution that was missing, since the exchange's clock had been set back after it",
  },
  {
    seed: 50077,
    minutes: 1,
    did: "sent a close that another gateway had sent, because it recorded it before it knew whose account it was",
  },
  { seed: 35226, did: "exceeded a limit of the day by what a Classic order traded while it was being replaced" },
  { seed: 33712, did: "never had a position that was opened, closed and opened again in one millisecond" },
  {
    seed: 39631,
    did: "emitted executions again after a position that was pushed later than they were, though it was executed before them",
  },
  { seed: 36058, did: "exceeded a rate limit by two keys of one user, which an answer had named that it did not take it from" },
  {
    seed: 39442,
    did: "left an order UNKNOWN, since it believed no time for which the exchange answered that an order is missing",
  },
  {
    seed: 60172,
    did: "never told Redis again what it had dropped, where that was not answered in time on a connection that stayed",
  },
  {
    seed: 33877,
    did: "stated a gap that ended just before the execution that was missing, by an estimate of the exchange's time",
  },
  {
    seed: 39052,
    did: "let listeners join a subscription to several accounts, the stream of one of which had ended, without a word",
  },
  {
    seed: 35308,
    did: "showed an order as before its modification without a word, while the list that had to tell could not be read",
  },
  { seed: 70024, did: "let a dead man's switch fire, since the journal could not be read" },
  { seed: 78983, did: "used the whole rate limit to keep a dead man's switch of five seconds alive" },
  { seed: 83473, did: "gave up the wait for the slot of a gateway that had ended, and a dead man's switch fired" },
  { seed: 86507, did: "woke a rate limit without slots every five seconds for a call that had given up" },
  {
    seed: 1118,
    did: "let nobody follow a stream for those who had an account's former key once its leader had another one, and said nothing",
  },
  { seed: 3671, did: "emitted each event with an identifier three seconds late, while an account's user could not be read" },
];
