// What the page writes about a reply: estimator, defects, retries, refusal, time and tokens. Pure.

import type { ReplyDetail } from '../../../runtime/protocol/daemon/reply.ts';
import type { StepDetail } from '../../../runtime/protocol/daemon/trajectories.ts';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatNats,
  formatPercent,
  formatSigned,
  plural,
} from '../../shared/labels.ts';

export type Estimator = ReplyDetail['estimator'];

/** One line per estimator, after 'Entropy: '. */
export const ESTIMATOR_LINES: Readonly<Record<Estimator, string>> = {
  exact: 'exact, from the probabilities of all tokens.',
  'top-k': 'estimated from the likeliest tokens (top-k). Not comparable with other estimators.',
  surprisal:
    'estimated by the surprise of the sampled tokens (surprisal). Not comparable with other estimators.',
  none: 'unknown, because the server reports no log-probabilities.',
};

const DEFECTS: Readonly<Record<string, string>> = {
  'log-probabilities-length': 'The server reports another number of log-probabilities than of tokens.',
  'log-probability-invalid': 'A log-probability is not valid: −9999, above 0, or not a number.',
  'text-after-stop': 'The tokens continue after the end of the reply.',
  'tokens-differ-from-text': 'The tokens do not spell the reply.',
  'wrong-model': 'Another model answered than the one that was requested, or weights of another version.',
  'mixed-versions': 'The weights changed while the server generated the reply.',
};

export const defectLabel = (defect: string): string => DEFECTS[defect] ?? `The report is wrong: ${defect}.`;

const RETRY_CAUSES: Readonly<Record<string, string>> = {
  unreachable: 'server not reachable',
  timeout: 'no reply before the deadline',
  'rate-limited': 'too many requests (status 429)',
  'server-error': 'server error (status 5xx)',
  'bad-reply': 'unreadable response',
};

/** 'none', or '3: server error (status 5xx) twice, no reply before the deadline'. */
export function retriesLabel(retries: readonly string[]): string {
  if (retries.length === 0) return 'none';
  const counts = new Map<string, number>();
  for (const cause of retries) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const causes = [...counts].map(([cause, times]) => `${RETRY_CAUSES[cause] ?? cause}${timesLabel(times)}`);
  return `${retries.length}: ${causes.join(', ')}`;
}

const timesLabel = (times: number): string => (times === 1 ? '' : times === 2 ? ' twice' : ` ${times} times`);

/** Ends with a full stop, once. */
export const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

export const malformedLabel = (why: string): string =>
  `The reply has no action that can be performed: ${sentence(why)}`;

export interface ReplyFact {
  readonly name: string;
  readonly value: string;
  /** What the number means. */
  readonly meaning: string;
}

/** The numbers of a step: certainty, training, size, time and cost. Unknown numbers are omitted. */
export function replyFacts(
  { chosen, training }: StepDetail,
  reply: ReplyDetail,
  mayTrain: boolean,
): readonly ReplyFact[] {
  const { promptTokens, completionTokens, latencyMs, cost } = reply.served;
  const count = completionTokens ?? (reply.tokens.length > 0 ? reply.tokens.length : undefined);
  const facts: (ReplyFact | undefined)[] = [
    chosen?.uncertainty === undefined
      ? undefined
      : fact('Entropy', formatNats(chosen.uncertainty), 'The mean over the tokens of the reply.'),
    chosen?.probability === undefined
      ? undefined
      : fact('Probability', formatPercent(chosen.probability), 'The geometric mean per token.'),
    training === undefined ? undefined : useFact(training),
    training?.advantage === undefined
      ? undefined
      : fact(
          'Advantage',
          formatSigned(training.advantage),
          'The reward relative to the group of the rollout, or to the value of the step where critics learn it.',
        ),
    training === undefined && mayTrain && reply.refusal === undefined
      ? fact('Trained', 'not yet', 'No batch has contained this step so far.')
      : undefined,
    count === undefined ? undefined : fact('Reply', plural(count, 'token'), 'The generated tokens.'),
    promptTokens === undefined
      ? undefined
      : fact('Prompt', plural(promptTokens, 'token'), 'The tokens of the request, images included.'),
    // The latency of an imported reply is unknown.
    latencyMs === 0
      ? undefined
      : fact('Latency', latencyLabel(latencyMs, count), 'From the accepted request to the end of the reply.'),
    cost === undefined
      ? undefined
      : fact('Cost', formatCost(cost), 'In the currency of the configured prices.'),
  ];
  return facts.flatMap(each => each ?? []);
}

const fact = (name: string, value: string, meaning: string): ReplyFact => ({ name, value, meaning });

/** Filtered imitation leaves out steps that no threshold masks. */
function useFact({
  kept,
  uncertainty,
  threshold,
}: Pick<NonNullable<StepDetail['training']>, 'kept' | 'uncertainty' | 'threshold'>): ReplyFact {
  if (!kept && uncertainty >= threshold)
    return fact('Not imitated', 'advantage ≤ 0', 'Only steps with an advantage above 0 are imitated.');
  const value = `${kept ? '≥' : '<'} ${formatNats(threshold)}`;
  return fact(
    kept ? 'Trained' : 'Masked',
    value,
    'Only steps with at least this entropy are used for training.',
  );
}

function latencyLabel(latencyMs: number, tokens: number | undefined): string {
  const rate = tokens === undefined || latencyMs === 0 ? undefined : (1000 * tokens) / latencyMs;
  return rate === undefined
    ? formatDuration(latencyMs)
    : `${formatDuration(latencyMs)} (${formatCount(rate)} tokens/s)`;
}

/** Who answered. `version` is the version of the weights that the run knows. */
export function servedFacts({ served }: ReplyDetail, version: number): readonly ReplyFact[] {
  const { endpoint, model, reportedVersion, retries } = served;
  const known = version > 0 ? [`weights ${formatCount(version)}`] : [];
  const versions = [...known, ...(reportedVersion === undefined ? [] : [`“${reportedVersion}”`])];
  return [
    fact('Endpoint', endpoint, 'Its name in dartboard.json.'),
    fact('Model', model, 'As the server names it.'),
    fact(
      'Version',
      versions.length === 0 ? 'not reported' : versions.join(', '),
      'The version of the weights that answered.',
    ),
    fact(
      'Retries',
      retriesLabel(retries),
      'Failed requests before this reply. Each was sent again with the same seed.',
    ),
  ];
}
