// Finds the most uncertain decisions. Read-only.

import { runId, seed, taskId, trajectoryId, version } from '../../core/ids.ts';
import type { SqlValue } from './database.ts';
import { stepConditionOf } from './filters.ts';
import { decoded, type IndexReader, isPresent } from './index-reader.ts';
import type { StepFilter, StepRow, TrajectoryIndex, Window } from './queries.ts';
import { CODES, codeOf, SHARE_SCALE } from './tables.ts';

/** Steps per outcome that are searched for those of each task or outcome. */
const MAX_SEARCHED_STEPS = 3000;

/** A row of the table `steps`. */
interface FoundStep {
  readonly trajectory: number;
  readonly step: number;
  readonly task: number;
  readonly outcome: number;
  readonly uncertainty: number;
}

export function stepQueries(reader: IndexReader): Pick<TrajectoryIndex, 'steps'> {
  return {
    async steps({ filter, by, offset, limit }) {
      const maximum = by === undefined ? offset + limit : MAX_SEARCHED_STEPS;
      const found: FoundStep[] = [];
      for (const outcome of filter.outcomes ?? CODES.outcome)
        found.push(...(await stepsOfOutcome(reader, codeOf('outcome', outcome), filter, maximum)));
      found.sort((a, b) => b.uncertainty - a.uncertainty || b.trajectory - a.trajectory || b.step - a.step);
      return stepRows(
        reader,
        by === undefined ? found.slice(offset, offset + limit) : someOfEach(found, by, { offset, limit }),
      );
    },
  };
}

/** Most uncertain first. */
async function stepsOfOutcome(
  reader: IndexReader,
  outcome: number,
  filter: StepFilter,
  limit: number,
): Promise<readonly FoundStep[]> {
  const { sql, values } = stepConditionOf(filter, reader);
  const found = await reader.database.all(
    `SELECT trajectory, step, task, uncertainty FROM steps WHERE outcome = ?${sql}
      ORDER BY uncertainty DESC, trajectory DESC, step DESC LIMIT ?`,
    [outcome, ...values, limit],
  );
  return found.map(([trajectory, step, task, uncertainty]) => ({
    ...{ trajectory: Number(trajectory), step: Number(step), task: Number(task) },
    ...{ uncertainty: Number(uncertainty), outcome },
  }));
}

/** Keeps the order of `found`. */
async function stepRows(reader: IndexReader, found: readonly FoundStep[]): Promise<readonly StepRow[]> {
  const rows = await reader.database.all(
    `SELECT t.id, t.run, t.task, seed, instruction, s.outcome, s.step, s.kind, s.uncertainty, s.probability, s.version, s.agent, t.estimator
      FROM ${reader.database.dialect.placedPairs} AS pair
      JOIN steps AS s ON s.trajectory = pair.one AND s.step = pair.other
      JOIN trajectories AS t ON t.number = s.trajectory ORDER BY pair.place`,
    [JSON.stringify(found.map(({ trajectory, step }) => [trajectory, step]))],
  );
  return rows.map(row => stepRow(reader, row));
}

function stepRow(
  reader: IndexReader,
  [id, run, task, instanceSeed, instruction, outcome, step, kind, ...others]: readonly SqlValue[],
): StepRow {
  const [uncertainty, probability, weights, agent, estimator] = others;
  return {
    trajectory: trajectoryId(String(id)),
    ...(isPresent(run) && { run: runId(reader.textOf(run)) }),
    instance: { task: taskId(reader.textOf(task)), seed: seed(Number(instanceSeed)) },
    instruction: reader.textOf(instruction),
    outcome: decoded('outcome', outcome),
    step: Number(step),
    kind: decoded('kind', kind),
    uncertainty: Number(uncertainty) / SHARE_SCALE,
    probability: Number(probability) / SHARE_SCALE,
    version: version(Number(weights)),
    ...(agent !== 0 && { agent: reader.textOf(agent) }),
    ...(isPresent(estimator) && { estimator: decoded('estimator', estimator) }),
  };
}

/** The steps in the window of each task or outcome, in their order. */
function someOfEach(
  found: readonly FoundStep[],
  by: 'task' | 'outcome',
  { offset, limit }: Window,
): readonly FoundStep[] {
  const counts = new Map<number, number>();
  return found.filter(step => {
    const before = counts.get(step[by]) ?? 0;
    counts.set(step[by], before + 1);
    return before >= offset && before < offset + limit;
  });
}
