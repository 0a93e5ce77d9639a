// What the server reports about an update: the loss of its passes, and the norm of its gradient.

import { at } from '../../core/at.ts';
import type { TinkerClient } from './client.ts';
import { logProbabilities, weightsIn } from './datums.ts';
import type { LearnerJournal, PendingUpdate } from './journal.ts';
import { passFrom } from './requests.ts';
import { PASS } from './results.ts';
import { TinkerError } from './tinker-error.ts';

/** −Σ weight · log p of all passes, under the weights before the step. Waits for their results. */
export async function lossOf(
  pending: PendingUpdate,
  {
    client,
    journal,
    name,
  }: { readonly client: TinkerClient; readonly journal: LearnerJournal; readonly name: string },
  signal: AbortSignal,
): Promise<number> {
  let loss = 0;
  for (let index = 0; index < pending.passes; index++) {
    const result = await client.result(at(pending.futures, index), PASS, signal);
    const { data } = passFrom(await journal.readRequest(pending, index), pending.encoding);
    const inputs = data.map(({ lossInputs }) => lossInputs);
    const values = logProbabilities(result, inputs, name);
    for (const [row, datum] of data.entries())
      for (const [place, weight] of weightsIn(datum, pending.rows).entries())
        if (weight !== 0) loss -= weight * at(at(values, row), place);
  }
  if (Number.isFinite(loss)) return loss;
  throw new TinkerError(
    'failed',
    name,
    `The loss of the update '${pending.id}' is ${loss}. Load an earlier state, and lower the learning rate.`,
  );
}

/** Servers have names of their own for it. */
export function gradientNormIn(metrics: Readonly<Record<string, number | null>>): number | undefined {
  const [, norm] =
    Object.entries(metrics).find(([name]) => /(^|[/._])grad(ient)?_norm(:|$)/.test(name)) ?? [];
  return typeof norm === 'number' && Number.isFinite(norm) ? norm : undefined;
}
