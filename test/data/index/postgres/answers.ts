// The answers of an index to all questions, in an order that does not depend on the order of arrival.

import type { TaskId } from '../../../../runtime/core/ids.ts';
import type { TrajectoryIndex } from '../../../../runtime/data/index/queries.ts';
import { SORTS } from '../../../../runtime/protocol/daemon/trajectories.ts';

const ALL = { offset: 0, limit: 9999 };

/** `tasks` are those that some questions are limited to. */
export async function answersOf(index: TrajectoryIndex, tasks: readonly TaskId[] = []) {
  const pages: Record<string, unknown> = {};
  const ids = new Set<Awaited<ReturnType<TrajectoryIndex['page']>>['rows'][number]['id']>();
  for (const sort of SORTS)
    for (const descending of [true, false]) {
      const { total, rows } = await index.page({ filter: {}, sort, descending, ...ALL });
      pages[`${sort} ${descending}`] = [total, rows.map(({ id }) => id)];
      for (const { id } of rows) ids.add(id);
    }
  const sortedIds = [...ids].sort();
  return {
    pages,
    rows: inOrder(await index.rows(sortedIds)),
    marks: await Promise.all(sortedIds.map(id => index.marks(id))),
    steps: inOrder(await index.steps({ filter: {}, ...ALL })),
    stepsByTask: inOrder(await index.steps({ filter: { tasks }, by: 'task', ...ALL })),
    rates: inOrder(await index.rates({ filter: {} })),
    ratesOfTasks: inOrder(await index.rates({ filter: { tasks, purposes: ['train'] } })),
    ratesOverTime: inOrder(await index.ratesOverTime({ filter: {}, parts: 3 })),
    waiting: await index.waiting({ ...ALL }),
    waitingOfTasks: await index.waiting({ tasks, order: 'teaching', ...ALL }),
    suggestedOrder: await index.waiting({ order: 'suggested', unsuggestedBy: 'tars', ...ALL }),
    secondOpinions: await index.waiting({ secondOf: 'ada', ...ALL }),
    members: await index.members(ALL),
    memberCounts: inOrder([...(await index.memberCounts())]),
    votes: inOrder(await index.votes({})),
    suggested: inOrder(await index.suggested({})),
    agents: inOrder(await index.agents()),
    played: inOrder(await index.played({ filter: {} })),
    successes: await index.successes({ filter: {}, each: 2, limit: 7 }),
    volume: await index.volume(),
    bytesByRun: inOrder([...(await index.bytesByRun())]),
    kept: inOrder(await index.kept()),
  };
}

const inOrder = <T>(all: readonly T[]): readonly T[] =>
  all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
