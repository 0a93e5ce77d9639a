// Laws of updates with a clip: PPO's loss, which the learner computes.

import { expect } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import { sum } from '../../../runtime/core/sum.ts';
import type { AdamSettings, TokenStep, TokenUpdate } from '../../../runtime/learner/learner.ts';
import { expectClearRejection, expectEqual, type Law, LIVE, mixed, observed, updateOf } from './law.ts';

const CLIP = { clipLow: 0.2, clipHigh: 0.28 };
/** Of p to p_old, in turn: not clipped, above the bounds, below them, just inside. */
const RATIOS = [1, 2, 0.5, 1.2];

/** Weights of both signs. */
export const clippedUpdate = (
  rows: readonly { readonly step: TokenStep; readonly old: readonly number[] }[],
  optimiser: AdamSettings,
): TokenUpdate => ({
  ...{ id: 'clipped', optimiser, clip: CLIP },
  rows: rows.map(({ step, old }, row) => ({
    step,
    weights: step.reply.map((_, token) => mixed(row, token)),
    origin: {
      ...{ trajectory: `trajectory-${row}`, index: row, group: 'group-1', task: 'task-1', isSuccess: true },
      ...{ advantage: mixed(row, 0), old },
    },
  })),
});

const isClipped = (ratio: number, weight: number): boolean =>
  weight > 0 ? ratio > 1 + CLIP.clipHigh : ratio < 1 - CLIP.clipLow;

export const CLIP_LAWS: readonly Law[] = [
  {
    title: "an update with a clip equals one with the derivatives of PPO's loss as its weights",
    needs: 'clips',
    async check(fixture) {
      const [clipping, plain] = [await fixture.open(), await fixture.open()];
      for (const learner of [clipping, plain]) await learner.update(updateOf(fixture, 'u1'), LIVE);
      const present = await clipping.assess(fixture.steps, 'present', LIVE);
      const ratioAt = (row: number, token: number) => at(RATIOS, (row + token) % RATIOS.length);
      const update = clippedUpdate(
        fixture.steps.map((step, row) => ({
          step,
          old: at(present, row).map((each, token) => each - Math.log(ratioAt(row, token))),
        })),
        fixture.optimiser,
      );
      const report = await clipping.update(update, LIVE);
      const { clip: _, ...signed } = update;
      const rows = signed.rows.map((each, row) => ({
        ...each,
        weights: each.weights.map((weight, token) =>
          isClipped(ratioAt(row, token), weight) ? 0 : ratioAt(row, token) * weight,
        ),
      }));
      await plain.update({ ...signed, rows }, LIVE);
      expectEqual(await observed(clipping, fixture), await observed(plain, fixture), fixture);

      const losses = update.rows.flatMap(({ weights }, row) =>
        weights.map((weight, token) => {
          const ratio = ratioAt(row, token);
          const bound = weight > 0 ? 1 + CLIP.clipHigh : 1 - CLIP.clipLow;
          return -(isClipped(ratio, weight) ? bound : ratio) * weight;
        }),
      );
      const shares = update.rows.map(({ weights }, row) => {
        const clipped = weights.filter((weight, token) => isClipped(ratioAt(row, token), weight));
        return clipped.length / weights.length;
      });
      const size = sum(losses.map(Math.abs));
      expect(Math.abs((report.loss ?? Number.NaN) - sum(losses))).toBeLessThanOrEqual(1e-3 * size);
      expect(report.clipped).toBeCloseTo(sum(shares) / shares.length, 5);
      expect(report.divergence).toBeGreaterThan(0);
    },
  },
  {
    title: 'an update with a clip and without p_old in a row is rejected as a whole',
    needs: 'clips',
    async check(fixture) {
      const learner = await fixture.open();
      const before = await observed(learner, fixture);
      await expectClearRejection(learner.update({ ...updateOf(fixture, 'u1'), clip: CLIP }, LIVE));
      expectEqual(await observed(learner, fixture), before, fixture);
      expect(await learner.update(updateOf(fixture, 'u1'), LIVE)).toMatchObject({ step: 1 });
    },
  },
];
