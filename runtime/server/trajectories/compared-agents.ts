// Answers requests about agents: which have played, and how two of them compare. Reads the episodes from the index.

import { runId } from '../../core/ids.ts';
import type { Instance } from '../../core/task.ts';
import { type AgentEpisode, compareAgents, type EpisodeUsage } from '../../data/compare-agents.ts';
import type { Summary } from '../../data/files/summary.ts';
import type { Filter } from '../../data/index/queries.ts';
import type { AgentComparisonResult, ListedAgent } from '../../protocol/daemon/agents.ts';
import type { DaemonParams } from '../../protocol/daemon/messages.ts';

/** The queries of the index about agents. Both exclude relabelled copies and demonstrations. */
export interface AgentIndex {
  agents(): Promise<readonly ListedAgent[]>;
  played(query: {
    readonly filter: Filter & { readonly agents: readonly string[] };
  }): Promise<readonly AgentEpisodeRow[]>;
}

/** `replies` is absent if no language model played. */
export interface AgentEpisodeRow extends Pick<Summary, 'outcome' | 'steps'> {
  readonly agent: string;
  readonly instance: Instance;
  readonly replies?: EpisodeUsage;
}

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
function episodeOf({ agent, instance, outcome, steps, replies }: AgentEpisodeRow): readonly AgentEpisode[] {
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
