// The report of an update, from the replies of the server: the loss of its passes, the norm of its gradient, and the hardware time.

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
import { HARDWARE_SECONDS } from './wire/messages.ts';

interface ComputedLoss extends Pick<UpdateReport, 'clipped' | 'divergence' | 'hardwareSeconds'> {
  readonly loss: number;
}

/** The loss of all passes under the weights before the step, and their hardware time. Waits for their results. */
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
  let hardwareSeconds: number | undefined;
  for (let index = 0; index < pending.passes; index++) {
    const result = await client.result(at(pending.futures, index), PASS, signal);
    hardwareSeconds = totalSeconds(hardwareSeconds, hardwareSecondsIn(result.metrics));
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
  if (Number.isFinite(computed.loss))
    return { ...computed, ...(hardwareSeconds !== undefined && { hardwareSeconds }) };
  throw new TinkerError(
    'failed',
    name,
    `The loss of the update '${pending.id}' is ${computed.loss}. Load an earlier state, and lower the learning rate.`,
  );
}

/** −Σ weight · log p. Places before the reply have the weight 0, and their log-probabilities may be anything. */
const linearLoss = ({ weights, present }: RatioRow): number =>
  sum(weights.map((weight, place) => (weight === 0 ? 0 : -weight * at(present, place))));

/** The measurements of a server during a pass or a step. */
type ReportedMetrics = Readonly<Record<string, number | null>>;

export function hardwareSecondsIn(metrics: ReportedMetrics): number | undefined {
  const seconds = metrics[HARDWARE_SECONDS];
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** Undefined if both are. */
export const totalSeconds = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one + other;

/** Servers have names of their own for it. */
export function gradientNormIn(metrics: ReportedMetrics): number | undefined {
  const [, norm] =
    Object.entries(metrics).find(([name]) => /(^|[/._])grad(ient)?_norm(:|$)/.test(name)) ?? [];
  return typeof norm === 'number' && Number.isFinite(norm) ? norm : undefined;
}
