// The result of an episode, from its trajectory. Pure.

import { sum } from '../core/sum.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { isSuccess } from '../core/verdict.ts';
import type { EpisodeResult } from '../protocol/daemon/episode-result.ts';

export function episodeResultOf(trajectory: Trajectory): EpisodeResult {
  const { id, instance, steps, startedAt, endedAt } = trajectory;
  const turns = steps.flatMap(({ chosen }) =>
    chosen === undefined || chosen.trace.kind === 'same-turn' ? [] : [chosen.trace],
  );
  const replies = turns.flatMap(trace => (trace.kind === 'tokens' ? [trace] : []));
  const served = replies.map(trace => trace.served);
  const promptTokens = totalOf(served.map(each => each.promptTokens));
  const completionTokens = totalOf(served.map(each => each.completionTokens));
  const cost = totalOf(served.map(each => each.cost));
  const latencyMs = totalOf(served.map(each => each.latencyMs));
  return {
    ...{ trajectory: id, task: instance.task, seed: instance.seed, outcome: outcomeOf(trajectory) },
    ...{ steps: steps.length, turns: turns.length },
    malformed: replies.filter(({ malformed }) => malformed !== undefined).length,
    truncated: replies.filter(({ finish }) => finish === 'length').length,
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(cost !== undefined && { cost }),
    ...(latencyMs !== undefined && { latencyMs }),
    retries: countsOf(served.flatMap(({ retries }) => retries)),
    durationMs: Math.max(0, endedAt - startedAt),
  };
}

function outcomeOf({ outcome }: Trajectory): EpisodeResult['outcome'] {
  if (outcome.kind === 'broken') {
    const { boundary, message } = outcome.failure;
    return { kind: 'broken', boundary, message };
  }
  const { ending, verdict } = outcome;
  return { kind: 'judged', success: isSuccess(outcome), score: verdict.score, ending };
}

/** The sum of the known amounts; undefined if none is known. */
export function totalOf(amounts: readonly (number | undefined)[]): number | undefined {
  const known = amounts.flatMap(each => each ?? []);
  return known.length === 0 ? undefined : sum(known);
}

/** How often each name occurs, in the order of the first occurrence. */
export function countsOf(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}
