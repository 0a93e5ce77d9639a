// Turns summaries of trajectories into the judged episodes of a comparison. Pure.

import type { Summary } from '../../data/files/summary.ts';
import type { EvaluatedEpisode } from '../record.ts';

export interface JudgedEpisodes {
  readonly episodes: readonly EvaluatedEpisode[];
  /** Episodes that broke and that no repetition replaced. */
  readonly broken: number;
}

/** Each trajectory once: a file and a line of the ledger may describe the same one. */
export const uniqueRows = (rows: readonly Summary[]): readonly Summary[] => [
  ...new Map(rows.map(row => [row.id, row] as const)).values(),
];

export function judgedEpisodes(rows: readonly Summary[]): JudgedEpisodes {
  const unique = uniqueRows(rows);
  const episodes = firstOfOrders(unique.filter(({ outcome }) => outcome !== 'broken')).map(episodeOf);
  const judged = new Set(episodes.map(instanceOf));
  const broken = unique.filter(
    ({ outcome, instance }) => outcome === 'broken' && !judged.has(instanceOf(instance)),
  );
  return { episodes, broken: new Set(broken.map(({ instance }) => instanceOf(instance))).size };
}

/** An order that was played again, because its first result was not acknowledged, has several judged attempts. The first counts. */
function firstOfOrders(rows: readonly Summary[]): readonly Summary[] {
  const first = new Map<string, Summary>();
  for (const row of rows) {
    const order = row.id.replace(ATTEMPT, '');
    const known = first.get(order);
    if (known === undefined || row.endedAt < known.endedAt) first.set(order, row);
  }
  return [...first.values()];
}

/** At the end of the id of a rollout. */
const ATTEMPT = /\.\d+$/;

const instanceOf = ({ task, seed }: { readonly task: string; readonly seed: number }): string =>
  `${seed} ${task}`;

const episodeOf = ({ instance, outcome, steps, replies }: Summary): EvaluatedEpisode => ({
  ...{ task: instance.task, seed: instance.seed, success: outcome === 'success', steps },
  ...(replies !== undefined && {
    usage: {
      promptTokens: replies.promptTokens,
      completionTokens: replies.completionTokens,
      latencyMs: replies.latencyMs,
      ...(replies.cost !== undefined && { cost: replies.cost }),
    },
  }),
});
