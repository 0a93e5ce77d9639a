// The arithmetic of a trainer in a simulated run: weights are one number, and each update makes a new one.

import type { Batch } from '../../runtime/core/batch.ts';
import { type Tensors, tensor } from '../../runtime/graph/tensor.ts';
import type { TrainingRow } from '../../runtime/trainer/network-trainer.ts';
import type { Updates } from '../../runtime/trainer/trainer.ts';
import type { UpdateStepStart } from '../../runtime/trainer/update-step.ts';
import type { Life } from './life.ts';
import type { World } from './world.ts';

const floats = (value: number) => tensor('float32', [1], Float32Array.of(value));

export function openUpdates(world: World, life: Life, { state }: Pick<UpdateStepStart, 'state'>): Updates {
  const { plan, witness } = world;
  let weight = Number(state['weights']?.data[0] ?? 0);
  let lessons = 0;
  const trainable = new Map<TrainingRow, Batch['groups'][number]['steps'][number]>();
  const weights = async (): Promise<Tensors> => ({ weights: floats(weight) });
  return {
    weights,
    state: async () => ({
      ...(await weights()),
      ...{ 'adam.mean': floats(0), 'adam.variance': floats(0) },
      'adam.step': tensor('int64', [], BigInt64Array.of(0n)),
    }),
    addLesson: () => {
      lessons += 1;
    },
    setWeights: () => undefined,
    prepare: async ({ groups }) => {
      await life.clock.sleep(plan.updates / 4);
      trainable.clear();
      const rows = groups.flatMap(({ steps }) =>
        steps.map(step => {
          // The trainer only passes rows on.
          const row = { policyWeight: 1, cloneWeight: 0, advantage: step.advantage } as TrainingRow;
          trainable.set(row, step);
          return row;
        }),
      );
      return { rows, masks: [], figures: new Map() };
    },
    parts: rows => {
      const half = Math.ceil(rows.length / 2);
      const parts = [rows.slice(0, half), rows.slice(half)].filter(part => part.length > 0);
      return world.has('parts train twice') ? [...parts, ...parts] : parts;
    },
    update: async rows => {
      const groupRows = rows.length;
      const imitated = groupRows === 0 ? Math.min(lessons, 1) : 0;
      lessons -= imitated;
      const nothing = { imitatedRows: new Map(), personTransferRows: 0, unreadable: [] };
      const ofGroups = { groupRows, groupWeight: groupRows };
      if (groupRows + imitated === 0) return { ...nothing, ...ofGroups, steps: [] };
      await life.clock.sleep(plan.updates);
      weight = witness.update(
        weight,
        rows.flatMap(row => trainable.get(row) ?? []),
      );
      const figures = { loss: 0, cloneLoss: 0, gradientNorm: 1, clipped: 0, kl: 0 };
      return { ...nothing, ...ofGroups, steps: [{ ...figures, applied: true, surprises: [] }] };
    },
    close: async () => undefined,
  };
}
