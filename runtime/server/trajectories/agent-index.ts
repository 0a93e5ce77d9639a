// The queries about agents, answered from the list of trajectories.

import type { Filter, IndexedTrajectory, TrajectoryIndex } from '../../data/index/queries.ts';
import type { AgentEpisodeRow, AgentIndex } from './compared-agents.ts';

/** The built-in agent. Rows without an agent are its. */
const COMPACT = 'compact';

type Row = IndexedTrajectory & Partial<Pick<AgentEpisodeRow, 'agent' | 'replies'>>;

export function agentIndexOf(index: Pick<TrajectoryIndex, 'page'>): AgentIndex {
  const episodes = async (filter: Filter): Promise<readonly AgentEpisodeRow[]> => {
    const order = { sort: 'startedAt', descending: false } as const;
    const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER };
    const { rows } = await index.page({ filter: { ...filter, provenances: ['rollout'] }, ...order, ...all });
    return rows.map(playedBy);
  };
  return {
    async agents() {
      const counts = new Map<string, number>();
      for (const { agent } of await episodes({})) counts.set(agent, (counts.get(agent) ?? 0) + 1);
      return [...counts].map(([agent, trajectories]) => ({ agent, trajectories }));
    },
    async played({ filter }) {
      return (await episodes(filter)).filter(({ agent }) => filter.agents.includes(agent));
    },
  };
}

const playedBy = ({ agent = COMPACT, instance, outcome, steps, replies }: Row): AgentEpisodeRow => ({
  ...{ agent, instance, outcome, steps },
  ...(replies !== undefined && { replies }),
});
