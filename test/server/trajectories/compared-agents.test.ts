import { describe, expect, test } from 'vitest';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import type { PlayedEpisode, TrajectoryIndex } from '../../../runtime/data/index/queries.ts';
import { AGENT_RESULTS } from '../../../runtime/protocol/daemon/agents.ts';
import { compareInIndex, listAgents } from '../../../runtime/server/trajectories/compared-agents.ts';

const replies: NonNullable<PlayedEpisode['replies']> = {
  ...{ promptTokens: 4000, completionTokens: 60, latencyMs: 3000, cost: 0.5, malformed: 0 },
  estimator: 'top-k',
};

const played = (
  agent: string,
  task: string,
  number: number,
  outcome: PlayedEpisode['outcome'],
  more: Partial<PlayedEpisode> = {},
): PlayedEpisode => ({
  ...{ agent, outcome, steps: 3, instance: { task: taskId(task), seed: seed(number) } },
  ...more,
});

/** Keeps the filters of its queries. */
function indexOf(episodes: readonly PlayedEpisode[]) {
  const filters: unknown[] = [];
  const index: Pick<TrajectoryIndex, 'agents' | 'played'> = {
    agents: async () => [{ agent: 'compact', trajectories: 2 }],
    played: async ({ filter }) => {
      filters.push(filter);
      return episodes;
    },
  };
  return { index, filters };
}

const EPISODES = [
  played('compact', 'notes-rename', 1, 'failure'),
  played('ui-tars', 'notes-rename', 1, 'success', { replies }),
  played('compact', 'notes-rename', 2, 'success'),
  played('ui-tars', 'notes-rename', 2, 'success', { replies }),
  // No common instance: a broken episode has no verdict.
  played('compact', 'files-copy', 1, 'success'),
  played('ui-tars', 'files-copy', 1, 'broken', { replies }),
];

describe('agents.compare', () => {
  test('compares judged episodes of the same instances, as the protocol writes it', async () => {
    const { index } = indexOf(EPISODES);
    const result = await compareInIndex(index, { agents: ['ui-tars', 'compact'] });
    expect(AGENT_RESULTS['agents.compare'].parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    expect(result).toMatchObject({
      agents: [
        {
          agent: 'ui-tars',
          instances: 2,
          successes: 2,
          trials: 2,
          promptTokens: 8000,
          cost: 1,
          latencyMs: 1000,
        },
        { agent: 'compact', instances: 2, successes: 1, trials: 2, meanSteps: 3 },
      ],
      difference: { value: 0.5 },
      tasks: [{ task: 'notes-rename', both: 1, onlyFirst: 1, onlySecond: 0, neither: 0 }],
    });
  });

  test('has a valid result without a common instance', async () => {
    const { index } = indexOf([]);
    const result = await compareInIndex(index, { agents: ['a', 'b'] });
    expect(AGENT_RESULTS['agents.compare'].parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    expect(result).toMatchObject({ agents: [{ trials: 0 }, { trials: 0 }], tasks: [] });
  });

  test('queries the two agents, and the run and the purpose if given', async () => {
    const { index, filters } = indexOf([]);
    await compareInIndex(index, { agents: ['a', 'b'] });
    await compareInIndex(index, { agents: ['a', 'b'], run: 'run-1', purpose: 'evaluate' });
    expect(filters).toEqual([
      { agents: ['a', 'b'] },
      { agents: ['a', 'b'], run: 'run-1', purposes: ['evaluate'] },
    ]);
  });
});

test('agents.list returns the agents of the index', async () => {
  const result = await listAgents(indexOf([]).index);
  expect(AGENT_RESULTS['agents.list'].parse(result)).toEqual({
    agents: [{ agent: 'compact', trajectories: 2 }],
  });
});
