// The same batch with learners of several kinds: with a loss of its own, with signed weights, and of files.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '../../../runtime/config/config.ts';
import { tokenRecipe } from '../../../runtime/config/token-recipe.ts';
import type { Event } from '../../../runtime/core/event.ts';
import { withoutProbabilities } from '../../../runtime/core/trace.ts';
import { MemoryFiles } from '../../learner/file/memory-files.ts';
import { linesIn, listed, open as openFiles } from '../../learner/file/open-file-learner.ts';
import { Disk, newLearner, TOKEN_RECIPE, tokenBatch, tokenRing } from './token-ring.ts';

const NEVER = new AbortController().signal;
const ROW = z.looseObject({ rollout_log_probs: z.array(z.number()).nullable(), old_log_probs: z.null() });

test("a batch trains by PPO's loss where the learner has it and it is the objective: no log-probabilities are computed between updates", async () => {
  const objective = { ...TOKEN_RECIPE.objective, dualClip: 0 };
  const [built, signed] = [newLearner(new Disk()), newLearner(new Disk(), { clips: false })];
  const events: Event[] = [];
  for (const learner of [built, signed]) {
    const ring = await tokenRing({ learner, recipe: { objective, learningRate: 1 } });
    await ring.fabric.batches.put(tokenBatch('c', 8));
    await ring.idle();
    events.push(...ring.events);
  }
  expect(built.applied.map(({ clip }) => clip)).toEqual([
    undefined,
    ...Array.from({ length: 3 }, () => ({ clipLow: 0.2, clipHigh: 0.28 })),
  ]);
  expect(signed.applied.map(({ clip }) => clip)).toEqual(Array.from({ length: 4 }, () => undefined));
  expect([built.assessed, signed.assessed]).toEqual([1, 4]);
  const steps = built.applied.flatMap(({ rows }) => rows.map(({ step }) => step));
  const [one, other] = [
    await built.assess(steps, 'present', NEVER),
    await signed.assess(steps, 'present', NEVER),
  ];
  for (const [row, values] of one.entries())
    for (const [token, value] of values.entries()) expect(value).toBeCloseTo(other[row]?.[token] ?? 9, 9);
  // Both report the same share of clipped tokens and the same divergence.
  for (const name of ['actor/pg_clipfrac', 'actor/ppo_kl']) {
    const values = events.flatMap(event =>
      event.kind === 'metric' && event.name === name ? [event.value] : [],
    );
    expect(values, name).toHaveLength(2);
    expect(values[0]).toBeGreaterThan(0);
    expect(values[0]).toBeCloseTo(values[1] ?? Number.NaN, 9);
  }
});

test('a batch becomes files with the settings that a learner of files has by default', async () => {
  const folder = new MemoryFiles(new Map());
  const learner = await openFiles(folder, {});
  const qwen = { profile: 'qwen3-vl', url: 'http://localhost:8000/v1', model: 'qwen' };
  const agents = { qwen: { ...qwen, learner: { kind: 'file', folder: 'rows' } } };
  const recipe = tokenRecipe(parseConfig({ agent: 'qwen', agents }));
  const { fabric, idle } = await tokenRing({ learner, recipe });
  const batch = tokenBatch('b', 4);
  const [group] = batch.groups;
  // The first step is one of a stored success.
  const steps = group?.steps.map((step, index) =>
    index === 0 ? { ...step, choice: withoutProbabilities(step.choice) } : step,
  );
  await fabric.batches.put({ ...batch, groups: group ? [{ ...group, steps: steps ?? [] }] : [] });
  await idle();
  const updates = listed(folder.disk);
  expect(updates.map(({ id }) => id)).toEqual(['b/0', 'b/1']);
  const rows = updates.flatMap(({ jsonl }) => linesIn(folder.disk, jsonl));
  const found = rows.map(row => ROW.parse(row).rollout_log_probs);
  expect(found.toSorted()).toEqual([[-2, -2], [-2, -2], [-2, -2], null]);
});

test('a learner of files keeps the last saved state alone, and a run whose folder is lost does not go on', async () => {
  const [disk, folder] = [new Disk(), new MemoryFiles(new Map())];
  const learner = await openFiles(folder, {});
  const { fabric, idle } = await tokenRing({ disk, learner, recipe: { checkpointSeconds: 0 } });
  await fabric.batches.put(tokenBatch('b', 4));
  await idle();
  const isState = (place: string) => place.startsWith('saved/');
  expect(folder.writes.filter(isState)).toEqual(['saved/step-1.json', 'saved/step-2.json']);
  expect([...folder.disk.keys()].filter(isState)).toEqual(['saved/step-2.json']);
  const lost = await openFiles(new MemoryFiles(new Map()), {});
  await expect(tokenRing({ disk, learner: lost })).rejects.toThrow(
    "Restore the folder 'updates-of-a-run', or start a new run",
  );
});
