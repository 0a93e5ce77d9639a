// Answers requests about agents: which have played, and how two of them compare. Reads the episodes from the index.

import { runId } from '../../core/ids.ts';
import { type AgentEpisode, compareAgents } from '../../data/compare-agents.ts';
import type { PlayedEpisode, TrajectoryIndex } from '../../data/index/queries.ts';
import type { AgentComparisonResult, ListedAgent } from '../../protocol/daemon/agents.ts';
import type { DaemonParams } from '../../protocol/daemon/messages.ts';

type AgentIndex = Pick<TrajectoryIndex, 'agents' | 'played'>;

export const listAgents = async (index: AgentIndex): Promise<{ agents: ListedAgent[] }> => ({
  agents: [...(await index.agents())],
});

export async function compareInIndex(
  index: AgentIndex,
  { agents, purpose, run }: DaemonParams<'agents.compare'>,
): Promise<AgentComparisonResult> {
  const filter = {
    agents,
    ...(purpose !== undefined && { purposes: [purpose] }),
    ...(run !== undefined && { run: runId(run) }),
  };
  const [first, second] = agents;
  const {
    difference,
    tasks,
    agents: scores,
  } = compareAgents((await index.played({ filter })).flatMap(episodeOf), [first, second]);
  return {
    agents: [withoutRate(scores[0]), withoutRate(scores[1])],
    ...(difference !== undefined && { difference }),
    tasks: tasks.map(({ tallies: [one, two], ...same }) => ({ ...same, tallies: [{ ...one }, { ...two }] })),
  };
}

/** A broken episode has no verdict. */
function episodeOf({ agent, instance, outcome, steps, replies }: PlayedEpisode): readonly AgentEpisode[] {
  if (outcome === 'broken') return [];
  return [
    {
      ...{ agent, task: instance.task, seed: instance.seed, success: outcome === 'success', steps },
      ...(replies !== undefined && { usage: replies }),
    },
  ];
}

/** Clients compute the rate: JSON has no NaN for agents without trials. */
function withoutRate<Score extends { readonly rate: number }>({
  rate: _,
  ...score
}: Score): Omit<Score, 'rate'> {
  return score;
}
