// Results of episodes for tests of evaluations.

import type { EpisodeResult } from '../../runtime/protocol/daemon/episode-result.ts';

const episode = (task: string, seed: number): Omit<EpisodeResult, 'outcome'> => ({
  ...{ trajectory: `evaluate-x.${task}.${seed}`, task, seed, steps: 4, turns: 4 },
  ...{ malformed: 0, truncated: 0, retries: {}, durationMs: 500 },
});

export function judgedEpisode(
  task: string,
  seed: number,
  success: boolean,
  { steps = 4, score = success ? 1 : 0 }: { readonly steps?: number; readonly score?: number } = {},
): EpisodeResult {
  const outcome = { kind: 'judged', success, score, ending: 'finished' } as const;
  return { ...episode(task, seed), steps, outcome };
}

export function brokenEpisode(task: string, seed: number, message = 'The desktop ended.'): EpisodeResult {
  return { ...episode(task, seed), outcome: { kind: 'broken', boundary: 'environment', message } };
}
