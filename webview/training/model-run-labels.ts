// Labels of the learner, the servers and the cost of a run with a model agent. Pure.

import type {
  Cost,
  RunLearnerState,
  RunServerState,
  SpentState,
} from '../../runtime/protocol/daemon/model-run.ts';
import { learnerTitle } from '../../runtime/protocol/learner-title.ts';
import {
  capitalize,
  formatCost,
  formatCount,
  formatDuration,
  formatShort,
  plural,
} from '../shared/labels.ts';
import { formatSpan } from './labels.ts';

/** '640 ms', '14.2 s', '1 h 5 min'. */
const formatSeconds = (seconds: number): string =>
  seconds < 90 ? formatDuration(1000 * seconds) : formatSpan(seconds);

export const learnerFigures = (learner: RunLearnerState) => ({
  place: capitalize(learnerTitle(learner)),
  model: learner.model,
  step: formatCount(learner.step),
  stepSeconds: learner.stepSeconds === undefined ? '–' : formatSeconds(learner.stepSeconds),
  batches: formatCount(learner.batches),
});

export const PHASE_LABELS: Readonly<Record<RunServerState['phase'], string>> = {
  serving: 'Serving',
  draining: 'Draining',
  updating: 'Updating',
  failed: 'Failed',
  out: 'Out',
};

export const PHASE_TITLES: Readonly<Record<RunServerState['phase'], string>> = {
  serving: 'Takes requests',
  draining: 'Finishes its requests before it loads new weights',
  updating: 'Loads new weights',
  failed: 'Failed several times in a row: gets one request at a time until one succeeds',
  out: 'Its weights are unknown: gets no requests until it is updated',
};

export const serverCells = ({ version, inFlight, latencyMs, replies }: RunServerState) => ({
  version: version === undefined ? '–' : formatCount(version),
  inFlight: formatCount(inFlight),
  latency: latencyMs === undefined ? '–' : formatDuration(latencyMs),
  replies: formatCount(replies),
});

export interface CostFigure {
  readonly label: string;
  readonly value: string;
  readonly title: string;
}

/** What the run has cost, what it gained, and the cost per gain. Unknown amounts are left out. */
export function costFigures(spent: SpentState): readonly CostFigure[] {
  const { promptTokens, completionTokens, hardwareSeconds, money, successes, points } = spent;
  const figure = (label: string, value: string, title = ''): CostFigure => ({ label, value, title });
  return [
    ...(money === undefined
      ? []
      : [figure('Money', formatCost(money), 'Tokens, at the configured prices, in their currency')]),
    figure(
      'Tokens',
      `${formatShort(promptTokens)} of prompts, ${formatShort(completionTokens)} of replies`,
      'All replies of this run, evaluations included',
    ),
    ...(hardwareSeconds === undefined
      ? []
      : [
          figure(
            'Hardware',
            formatSeconds(hardwareSeconds),
            'Time of the hardware of the learner, as it reports it',
          ),
        ]),
    figure(
      'Gained',
      gained(successes, points),
      'Test success since the first evaluation, and training rollouts',
    ),
    figure(
      'Per point of test success',
      costLabel(spent.perPoint),
      'The whole cost, divided by the percentage points of test success since the first evaluation',
    ),
    figure(
      'Per successful rollout',
      costLabel(spent.perSuccess),
      'The whole cost, divided by the training rollouts that succeeded',
    ),
  ];
}

function gained(successes: number, points: number | undefined): string {
  const rollouts = plural(successes, 'successful rollout');
  if (points === undefined) return rollouts;
  const rounded = Math.abs(points).toFixed(Math.abs(points) < 10 ? 1 : 0);
  return `${points < 0 ? '−' : '+'}${rounded} points, ${rollouts}`;
}

/** '340K tokens, 12.0 s of hardware, cost 0.11'; a dash where nothing was gained. */
function costLabel(cost: Cost | undefined): string {
  if (cost === undefined) return '–';
  const { tokens, hardwareSeconds, money } = cost;
  return [
    ...(money === undefined ? [] : [`cost ${formatCost(money)}`]),
    `${formatShort(tokens)} tokens`,
    ...(hardwareSeconds === undefined ? [] : [`${formatSeconds(hardwareSeconds)} of hardware`]),
  ].join(', ');
}
