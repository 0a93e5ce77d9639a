// What the server reports about an update: the loss of its passes, and the norm of its gradient.

import { at } from '../../core/at.ts';
import { sum } from '../../core/sum.ts';
import { type RatioRow, ratioReport } from '../built-in-loss.ts';
import type { RatioClip, UpdateReport } from '../learner.ts';
import type { TinkerClient } from './client.ts';
import { clipIn, logProbabilities, weightsIn } from './datums.ts';
import type { LearnerJournal, PendingUpdate } from './journal.ts';
import { passFrom } from './requests.ts';
import { PASS } from './results.ts';
import { TinkerError } from './tinker-error.ts';

type ComputedLoss = Pick<UpdateReport, 'clipped' | 'divergence'> & { readonly loss: number };

/** The loss of all passes under the weights before the step. Waits for their results. */
export async function computedLoss(
  pending: PendingUpdate,
  {
    client,
    journal,
    name,
  }: { readonly client: TinkerClient; readonly journal: LearnerJournal; readonly name: string },
  signal: AbortSignal,
): Promise<ComputedLoss> {
  const rows: RatioRow[] = [];
  let clip: RatioClip | undefined;
  for (let index = 0; index < pending.passes; index++) {
    const result = await client.result(at(pending.futures, index), PASS, signal);
    const pass = passFrom(await journal.readRequest(pending, index), pending.encoding);
    clip = clipIn(pass);
    const inputs = pass.data.map(({ lossInputs }) => lossInputs);
    for (const [row, present] of logProbabilities(result, inputs, name).entries()) {
      const datum = at(pass.data, row);
      const weights = weightsIn(datum, pending.rows);
      rows.push({ weights, present, old: datum.lossInputs['logprobs']?.data ?? [] });
    }
  }
  const computed = clip === undefined ? { loss: sum(rows.map(linearLoss)) } : ratioReport(rows, clip);
  if (Number.isFinite(computed.loss)) return computed;
  throw new TinkerError(
    'failed',
    name,
    `The loss of the update '${pending.id}' is ${computed.loss}. Load an earlier state, and lower the learning rate.`,
  );
}

/** −Σ weight · log p. Places before the reply have the weight 0, and their log-probabilities may be anything. */
const linearLoss = ({ weights, present }: RatioRow): number =>
  sum(weights.map((weight, place) => (weight === 0 ? 0 : -weight * at(present, place))));

/** Servers have names of their own for it. */
export function gradientNormIn(metrics: Readonly<Record<string, number | null>>): number | undefined {
  const [, norm] =
    Object.entries(metrics).find(([name]) => /(^|[/._])grad(ient)?_norm(:|$)/.test(name)) ?? [];
  return typeof norm === 'number' && Number.isFinite(norm) ? norm : undefined;
}
