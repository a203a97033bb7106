import { badInput } from "../errors/index.js";
import { estimatesInTurn, leftBefore } from "./batchEstimate.js";
import { allPlanned, passLimits, refusalsIn } from "./preparation.js";
import { callsFor, type Identified } from "./writeBatch.js";
import { dryRunResult, problemsOf, type WritePlan, type WriteResult } from "./writePlan.js";

/**
 * The results of a dry run of writes that would be sent in one batch: everything is checked, and nothing reserved or sent.
 * `planned`: the plan of a write, or why it would be refused.
 */
export async function dryRun(
  writes: readonly Identified[],
  newName: () => string,
  planned: (write: Identified) => Promise<WritePlan<unknown> | WriteResult<never>>,
): Promise<readonly WriteResult<never>[]> {
  const ready = allPlanned(await Promise.all(writes.map(planned)));
  if ("refused" in ready) return ready.refused;
  const { plans } = ready;
  try {
    // Under keys of their own, because a write with the same key may be under way.
    const unnamed = writes.map((write) => ({ ...write, key: newName() }));
    await passLimits(unnamed, plans, { reserve: false, isAgain: false });
  } catch (error) {
    return refusalsIn(error, writes.length);
  }
  const calls = callsFor(plans);
  const isAlone = plans.length === 1;
  const [broken, alone] = await Promise.all([
    Promise.all(plans.map(async (plan) => (await plan.presentRules?.(isAlone)) ?? [])),
    Promise.all(plans.map(async (plan) => (await plan.estimate?.()) ?? null)),
  ]);
  const inBatch = isAlone ? alone : await estimatesInTurn(plans);
  const left = isAlone ? [] : leftBefore(inBatch);
  return plans.map((plan, at) => {
    const request = calls.find(({ places }) => places.includes(at))?.request ?? { ...plan.policy, values: plan.values };
    const violations = broken[at] ?? [];
    const problems = violations.length === 0 ? [] : problemsOf(badInput(violations), plan.fields);
    return dryRunResult(request, problems, alone[at] ?? null, inBatch[at] ?? null, left[at]);
  });
}
