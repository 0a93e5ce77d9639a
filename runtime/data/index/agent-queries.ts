// Queries of the index about agents: which have played, and their episodes. Read-only.

import { COMPACT_AGENT } from '../../core/agent.ts';
import { seed, taskId } from '../../core/ids.ts';
import { conditionOf } from './filters.ts';
import { decoded, type IndexReader, repliesIn } from './index-reader.ts';
import type { TrajectoryIndex } from './queries.ts';

export function agentQueries(reader: IndexReader): Pick<TrajectoryIndex, 'agents' | 'played'> {
  const nameOf = (agent: unknown): string => (agent === 0 ? COMPACT_AGENT : reader.textOf(Number(agent)));
  return {
    async agents() {
      const { sql, values } = conditionOf({ provenances: ['rollout'] }, reader);
      const found = await reader.database.all(
        `SELECT agent, count(*) FROM trajectories WHERE TRUE${sql} GROUP BY agent ORDER BY agent`,
        values,
      );
      return found.map(([agent, count]) => ({ agent: nameOf(agent), trajectories: Number(count) }));
    },
    async played({ filter }) {
      const { sql, values } = conditionOf({ ...filter, provenances: ['rollout'] }, reader);
      const found = await reader.database.all(
        `SELECT agent, task, seed, outcome, steps, estimator, prompt_tokens, completion_tokens, latency, cost, malformed
          FROM trajectories WHERE TRUE${sql} ORDER BY number`,
        values,
      );
      return found.map(([agent, task, number, outcome, steps, ...totals]) => {
        const replies = repliesIn(totals);
        return {
          agent: nameOf(agent),
          instance: { task: taskId(reader.textOf(task)), seed: seed(Number(number)) },
          outcome: decoded('outcome', outcome),
          steps: Number(steps),
          ...(replies !== undefined && { replies }),
        };
      });
    },
  };
}
