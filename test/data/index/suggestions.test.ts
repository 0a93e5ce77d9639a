// Suggestions in the index: they order the queue, survive a rebuild, and change nothing else.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seed, taskId, trajectoryId } from '../../../runtime/core/ids.ts';
import { markOf } from '../../../runtime/data/files/marks.ts';
import { SUGGESTIONS } from '../../../runtime/data/files/places.ts';
import { parseSuggestion, type Suggestion } from '../../../runtime/data/files/suggestions.ts';
import { folder, judged, trajectory } from '../trajectories.ts';
import { indexed, loseIndex, openIndex, several, write } from './filled-index.ts';

const ALL = { offset: 0, limit: 999 };

const suggestion = (id: string, about: Partial<Suggestion> = {}): Suggestion => ({
  ...{ trajectory: trajectoryId(id), agent: 'tars', model: 'tars-7b', at: 1 },
  ...{ isSuccess: true, confidence: 0.9, reason: 'It is done.' },
  ...about,
});

const instance = (number: number) => ({ instance: { task: taskId('mail'), seed: seed(number) } });

test('the queue in the order of suggestions', async () => {
  const catalogue = await indexed(
    folder(),
    ['plain', 'sure', 'unsure', 'doubted'].map((id, number) => trajectory(id, instance(number))),
  );
  await catalogue.suggest(suggestion('sure'), 0);
  await catalogue.suggest(suggestion('unsure', { confidence: 0.6 }), 0);
  await catalogue.suggest(suggestion('doubted', { isSuccess: false, confidence: 0.6 }), 0);
  const { waiting } = await catalogue.queries.waiting({ ...ALL, order: 'suggested' });
  expect(waiting.map(({ row }) => String(row.id))).toEqual(['doubted', 'unsure', 'sure', 'plain']);
  expect(waiting[0]?.suggestion).toEqual(suggestion('doubted', { isSuccess: false, confidence: 0.6 }));
  const open = await catalogue.queries.waiting({ ...ALL, order: 'teaching', unsuggestedBy: 'tars' });
  expect(open.waiting.map(({ row }) => String(row.id))).toEqual(['plain']);
  expect((await catalogue.queries.waiting({ ...ALL, unsuggestedBy: 'other' })).total).toBe(4);
});

test('of several suggestions on a trajectory, the newest of each agent counts, and the newest of all is shown', async () => {
  const catalogue = await indexed(folder(), [trajectory('t', instance(1))]);
  const vote = markOf({ kind: 'pool', isMember: true }, trajectoryId('t'), 'ada', 1);
  for (const each of [
    suggestion('t', { isSuccess: false }),
    suggestion('t', { at: 2 }),
    suggestion('t', { agent: 'gpt', at: 3, isSuccess: false }),
  ])
    await catalogue.suggest(each, 0);
  const { waiting } = await catalogue.queries.waiting(ALL);
  expect(waiting[0]?.suggestion).toMatchObject({ agent: 'gpt' });
  expect(await catalogue.queries.suggested({})).toEqual([]);
  await catalogue.mark(vote, 0);
  const [both] = await catalogue.queries.suggested({});
  expect(both?.votes).toEqual([{ who: 'ada', isMember: true }]);
  expect(both?.suggestions.map(({ agent, isSuccess }) => [agent, isSuccess])).toEqual([
    ['gpt', false],
    ['tars', true],
  ]);
});

test('a suggestion changes no trajectory, no rate, no member, no vote, and nothing that retention depends on', async () => {
  await fc.assert(
    fc.asyncProperty(several, fc.array(fc.tuple(fc.nat(24), fc.boolean())), async (all, suggested) => {
      const catalogue = await indexed(folder(), all);
      const { queries } = catalogue;
      const everything = () =>
        Promise.all([
          queries.page({ filter: {}, sort: 'endedAt', descending: true, ...ALL }),
          queries.rates({ filter: {} }),
          queries.members(ALL),
          queries.votes({}),
          queries.kept(),
          queries.successes({ filter: {}, each: 4, limit: 99 }),
          queries.waiting(ALL).then(({ total }) => total),
        ]);
      const before = await everything();
      for (const [which, isSuccess] of suggested)
        await catalogue.suggest(suggestion(all[which % all.length]?.id ?? 't', { isSuccess }), 0);
      expect(await everything()).toEqual(before);
    }),
    { numRuns: 30 },
  );
});

test('a rebuilt index has the suggestions of the journal, and reports an invalid line', async () => {
  const root = folder();
  write(root, trajectory('t', { ...instance(1), outcome: judged(1) }));
  const lines = [suggestion('t'), { trajectory: 't', agent: '' }].map(each => JSON.stringify(each));
  writeFileSync(join(root, SUGGESTIONS), `${lines.join('\n')}\n`);
  for (let opening = 0; opening < 2; opening++) {
    const catalogue = await openIndex(root);
    const { waiting } = await catalogue.queries.waiting({ ...ALL, order: 'suggested' });
    expect(waiting[0]?.suggestion).toEqual(suggestion('t'));
    expect(catalogue.caughtUp.complaints.join()).toContain('invalid line');
    await catalogue.close();
    loseIndex(root);
  }
});

test('a record survives its file, and a confidence below a guess is invalid', () => {
  const one = suggestion('t');
  expect(parseSuggestion(JSON.parse(JSON.stringify(one)))).toEqual(one);
  expect(parseSuggestion({ ...one, confidence: 0.4 })).toBeUndefined();
});
