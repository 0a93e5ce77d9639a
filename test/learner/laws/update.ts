// Laws of `update`.

import { expect } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import { sum } from '../../../runtime/core/sum.ts';
import type { TokenUpdate, UpdateRow } from '../../../runtime/learner/learner.ts';
import {
  expectClearRejection,
  expectEqual,
  expectEqualReports,
  type Law,
  type LearnerFixture,
  LIVE,
  mixed,
  observed,
  opposed,
  rejectionOf,
  updateOf,
} from './law.ts';

export const UPDATE_LAWS: readonly Law[] = [
  {
    title: 'an update is one step',
    async check(fixture) {
      const learner = await fixture.open();
      expect([learner.step, learner.last]).toEqual([0, undefined]);
      expect(await learner.update(updateOf(fixture, 'u1'), LIVE)).toMatchObject({ step: 1 });
      expect([learner.step, learner.last]).toEqual([1, 'u1']);
      expect(await learner.update(updateOf(fixture, 'u2'), LIVE)).toMatchObject({ step: 2 });
      expect([learner.step, learner.last]).toEqual([2, 'u2']);
    },
  },
  {
    title: 'the loss is −Σ weight · log p before the step',
    needs: 'assesses',
    async check(fixture) {
      const learner = await fixture.open();
      for (const update of [updateOf(fixture, 'u1'), updateOf(fixture, 'u2', opposed)]) {
        const before = await learner.assess(fixture.steps, 'present', LIVE);
        const terms = update.rows.flatMap(({ weights }, row) =>
          weights.map((weight, token) => -weight * at(at(before, row), token)),
        );
        const { loss } = await learner.update(update, LIVE);
        const size = sum(terms.map(Math.abs));
        expect(Math.abs((loss ?? Number.NaN) - sum(terms))).toBeLessThanOrEqual(
          1e-3 * size + fixture.tolerance,
        );
      }
    },
  },
  ...([1, -1] as const).map(
    (sign): Law => ({
      title: `a ${sign > 0 ? 'positive' : 'negative'} weight makes its token ${sign > 0 ? 'likelier' : 'less likely'}, in each row`,
      needs: 'assesses',
      async check(fixture) {
        for (const [row, { reply }] of fixture.steps.entries()) {
          const learner = await fixture.open();
          const token = reply.length - 1 - (row % reply.length);
          const chosen = async () => at(at(await learner.assess(fixture.steps, 'present', LIVE), row), token);
          const before = await chosen();
          const only = updateOf(fixture, 'u1', (...place) => (place.join() === `${row},${token}` ? sign : 0));
          await learner.update(only, LIVE);
          expect(sign * ((await chosen()) - before)).toBeGreaterThan(fixture.tolerance);
        }
      },
    }),
  ),
  {
    title: 'weights of 0 change no log-probability',
    needs: 'assesses',
    async check(fixture) {
      const learner = await fixture.open();
      const { present, contents } = await observed(learner, fixture);
      await learner.update(
        updateOf(fixture, 'u1', () => 0),
        LIVE,
      );
      const after = await observed(learner, fixture);
      expectEqual({ ...after, contents }, { step: 1, present, contents }, fixture);
    },
  },
  {
    title: 'an update is applied once',
    async check(fixture) {
      const learner = await fixture.open();
      for (const [id, weightOf] of [
        ['u1', mixed],
        ['u2', opposed],
      ] as const) {
        const update = updateOf(fixture, id, weightOf);
        const report = await learner.update(update, LIVE);
        const after = await observed(learner, fixture);
        expect(await learner.update(update, LIVE)).toEqual(report);
        expectEqual(await observed(learner, fixture), after, fixture);
      }
    },
  },
  {
    title: 'an invalid update is rejected as a whole, and its id can be used again',
    async check(fixture) {
      const learner = await fixture.open();
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const before = await observed(learner, fixture);
      const good = updateOf(fixture, 'u2', opposed);
      for (const spoil of SPOILS) {
        await expectClearRejection(learner.update(withLastRow(good, spoil), LIVE));
        expectEqual(await observed(learner, fixture), before, fixture);
      }
      await expectClearRejection(learner.update({ ...good, rows: [] }, LIVE));
      expect(await learner.update(good, LIVE)).toMatchObject({ step: before.step + 1 });
    },
  },
  {
    title: 'an update with an unknown image is rejected as a whole',
    async check(fixture) {
      const learner = await fixture.open();
      const before = await observed(learner, fixture);
      const good = updateOf(fixture, 'u1');
      const pictured = good.rows.findIndex(({ step }) => step.prompt.some(({ kind }) => kind === 'image'));
      // A learner of texts has no images.
      if (pictured < 0) return;
      const strange = withoutImage(at(good.rows, pictured));
      await rejectionOf(learner.update({ ...good, rows: [...good.rows, strange] }, LIVE));
      expectEqual(await observed(learner, fixture), before, fixture);
      expect(await learner.update(good, LIVE)).toMatchObject({ step: 1 });
    },
  },
  {
    title: 'an aborted call is rejected and changes nothing',
    async check(fixture) {
      const learner = await fixture.open();
      await learner.update(updateOf(fixture, 'u1'), LIVE);
      const before = await observed(learner, fixture);
      const reason = new Error('The test aborts the call. Ignore it.');
      expect(await rejectionOf(learner.update(updateOf(fixture, 'u2'), AbortSignal.abort(reason)))).toBe(
        reason,
      );
      expectEqual(await observed(learner, fixture), before, fixture);
    },
  },
  {
    title: 'an update that is aborted on its way, and then repeated, is applied once',
    check: fixture => interrupted(fixture, 1),
  },
  {
    title: 'an update that is aborted a moment later, and then repeated, is applied once',
    check: fixture => interrupted(fixture, 20),
  },
];

/** Aborts an update after some turns of the event loop, repeats it, and compares with the update alone. */
async function interrupted(fixture: LearnerFixture, turns: number): Promise<void> {
  const learner = await fixture.open();
  await learner.update(updateOf(fixture, 'u1'), LIVE);
  const saved = await learner.save('before', LIVE);
  const update = updateOf(fixture, 'u2', opposed);
  const report = await learner.update(update, LIVE);
  const expected = await observed(learner, fixture);

  await learner.load(saved, LIVE);
  const controller = new AbortController();
  const settled = learner.update(update, controller.signal).then(
    () => undefined,
    () => undefined,
  );
  for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve));
  controller.abort(new Error('The test aborts the update. Ignore it.'));
  await settled;
  expectEqualReports(await learner.update(update, LIVE), report);
  expectEqual(await observed(learner, fixture), expected, fixture);
}

const SPOILS: readonly ((row: UpdateRow) => UpdateRow)[] = [
  row => ({ ...row, weights: row.weights.slice(1) }),
  row => ({ ...row, weights: [...row.weights, 1] }),
  row => ({ ...row, weights: row.weights.map(() => Number.NaN) }),
  row => ({ ...row, weights: row.weights.map(() => Infinity) }),
  row => ({ ...row, weights: [], step: { ...row.step, reply: [] } }),
];

const withLastRow = (update: TokenUpdate, spoil: (row: UpdateRow) => UpdateRow): TokenUpdate => ({
  ...update,
  rows: [...update.rows.slice(0, -1), spoil(at(update.rows, update.rows.length - 1))],
});

const withoutImage = (row: UpdateRow): UpdateRow => ({
  ...row,
  step: {
    ...row.step,
    prompt: row.step.prompt.map(chunk =>
      chunk.kind === 'image' ? { ...chunk, sha256: 'f0'.repeat(32) } : chunk,
    ),
  },
});
