// The same random operations on an index in SQLite and on one in PostgreSQL: all answers are equal.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TrajectoryId, trajectoryId } from '../../../../runtime/core/ids.ts';
import { markOf, type Remark } from '../../../../runtime/data/files/marks.ts';
import type { Suggestion } from '../../../../runtime/data/files/suggestions.ts';
import { ledgerLineOf } from '../../../../runtime/data/files/summary.ts';
import { Catalogue } from '../../../../runtime/data/index/catalogue.ts';
import { type PostgresServer, startPostgres } from '../../../postgres.ts';
import { anyTrajectory, folder } from '../../trajectories.ts';
import { headOf, RUNS, rowOf, several, TASKS } from '../filled-index.ts';
import { answersOf } from './answers.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const remarks: fc.Arbitrary<Remark> = fc.oneof(
  fc.record({ kind: fc.constant('verdict' as const), success: fc.constantFrom(true, false, null) }),
  fc.record({ kind: fc.constant('label' as const), label: fc.constantFrom('', 'odd', 'Ärger \0') }),
  fc.record({ kind: fc.constant('note' as const), text: fc.string({ unit: 'binary', maxLength: 4000 }) }),
  fc.record({ kind: fc.constant('pool' as const), isMember: fc.constantFrom(true, false, null) }),
);

/** `which` is the number of a trajectory. */
const operations = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('mark' as const),
      which: fc.nat(29),
      remark: remarks,
      who: fc.constantFrom('ada', 'bob'),
    }),
    fc.record({
      kind: fc.constant('suggest' as const),
      which: fc.nat(29),
      agent: fc.constantFrom('tars', 'gpt'),
      isSuccess: fc.boolean(),
      confidence: fc.constantFrom(0.5, 0.9),
    }),
    fc.record({ kind: fc.constant('forget' as const), which: fc.nat(29) }),
    fc.record({ kind: fc.constant('add' as const), which: fc.nat(29) }),
    fc.record({ kind: fc.constant('forget-run' as const), run: fc.constantFrom(...RUNS) }),
  ),
  { maxLength: 20 },
);

test('SQLite and PostgreSQL give the same answers after the same operations', async () => {
  await fc.assert(
    fc.asyncProperty(
      several,
      fc.array(anyTrajectory, { maxLength: 4 }),
      operations,
      async (some, others, performed) => {
        // With distinct end times, so that no order is left to the database.
        const all = [...some, ...others].map((each, number) => ({
          ...each,
          ...{ id: trajectoryId(`t${number}`), endedAt: 1000 + number },
        }));
        const places = [{ kind: 'embedded' }, { kind: 'postgres', url: server.url }] as const;
        const indexes = await Promise.all(
          places.map(place => Catalogue.open(folder(), () => undefined, place)),
        );
        for (const index of indexes) {
          for (const each of all) await index.add(headOf(each).head, headOf(each).bytes);
          for (const [number, operation] of performed.entries()) {
            const one = 'which' in operation ? all[operation.which % all.length] : undefined;
            const id: TrajectoryId = one?.id ?? trajectoryId('none');
            if (operation.kind === 'mark')
              await index.mark(markOf(operation.remark, id, operation.who, number), 0);
            else if (operation.kind === 'suggest') {
              const { agent, isSuccess, confidence } = operation;
              const suggestion: Suggestion = {
                ...{ trajectory: id, agent, model: 'm', at: number, isSuccess, confidence },
                reason: 'It is done.',
              };
              await index.suggest(suggestion, 0);
            } else if (operation.kind === 'forget-run') await index.forgetRun(operation.run);
            else if (one !== undefined && operation.kind === 'forget')
              await index.forget([ledgerLineOf(rowOf(one), 9000)], number + 1);
            else if (one !== undefined) await index.add(headOf(one).head, headOf(one).bytes);
          }
        }
        const [embedded, postgres] = await Promise.all(
          indexes.map(({ queries }) => answersOf(queries, TASKS.slice(0, 2))),
        );
        expect(postgres).toEqual(embedded);
        await Promise.all(indexes.map(index => index.close()));
      },
    ),
    { numRuns: 30 },
  );
});
