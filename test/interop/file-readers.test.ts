// The Python readers of docs/readers, on a folder that the learner of files wrote.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { DurableFolder } from '../../runtime/data/files/durable.ts';
import { openFileLearner } from '../../runtime/learner/file/file-learner.ts';
import { describeUnless } from '../environments/docker/engine.ts';
import { DARK, exchangeOf, images, LIGHT, updateNamed } from '../learner/file/steps.ts';
import { LIVE } from '../learner/laws/law.ts';
import { temporaryFolder } from '../temporary.ts';
import { missingPackages, python } from './python.ts';

const [IMAGE, PAD] = [99, 7];

test.each(['trl_reader.py', 'verl_reader.py'])('%s has fewer than 60 lines', name => {
  const text = readFileSync(new URL(`../../docs/readers/${name}`, import.meta.url), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThan(60);
});

describeUnless(missingPackages, 'a folder of updates', () => {
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder('updates');
    const files = new DurableFolder(folder);
    const learner = await openFileLearner({ folder, files, model: 'a-model', images, exchangeOf });
    for (const id of ['u1', 'u2']) await learner.update(updateNamed(id), LIVE);
    await learner.close();
  });
  const png = (hash: string) => join(folder, 'images', `${hash}.png`);
  const read = (reader: string, fields: object): Promise<unknown> =>
    python('read_updates.py', { reader, folder, image: IMAGE, pad: PAD, ...fields });

  test('is samples for TRL, without the demonstration', async () => {
    const samples = await read('trl', { after: 1 });
    expect(samples).toEqual([
      {
        ...{ prompt: [], completion: [], metrics: {}, model_version: 1, group_id: 0 },
        input_ids: [11, 12, 99, 99, 99, 99, 13, 21, 22, 23],
        completion_mask: [0, 0, 0, 0, 0, 0, 0, 1, 1, 1],
        old_log_probs: [0, 0, 0, 0, 0, 0, 0, -0.25, -1.25, -2.25],
        advantage: 1.5,
        images: [png(DARK)],
      },
      {
        ...{ prompt: [], completion: [], metrics: {}, model_version: 1, group_id: 0 },
        input_ids: [99, 99, 99, 99, 99, 99, 24, 25],
        completion_mask: [0, 0, 0, 0, 0, 0, 1, 1],
        old_log_probs: [0, 0, 0, 0, 0, 0, -0.25, -1.25],
        advantage: 0.5,
        images: [png(DARK), png(LIGHT)],
      },
    ]);
    expect(await read('trl', { after: 0 })).toHaveLength(4);
    expect(existsSync(png(LIGHT))).toBe(true);
  });

  test('is a padded batch for verl', async () => {
    const table = z.record(z.string(), z.unknown());
    const { types, tensors, others } = z
      .object({ types: table, tensors: table, others: table })
      .parse(await read('verl', { step: 1 }));
    expect(tensors).toEqual({
      prompts: [
        [11, 12, 99, 99, 99, 99, 13],
        [7, 99, 99, 99, 99, 99, 99],
      ],
      responses: [
        [21, 22, 23],
        [24, 25, 7],
      ],
      response_mask: [
        [1, 1, 1],
        [1, 1, 0],
      ],
      input_ids: [
        [11, 12, 99, 99, 99, 99, 13, 21, 22, 23],
        [7, 99, 99, 99, 99, 99, 99, 24, 25, 7],
      ],
      attention_mask: [
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        [0, 1, 1, 1, 1, 1, 1, 1, 1, 0],
      ],
      position_ids: [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [0, 0, 1, 2, 3, 4, 5, 6, 7, 7],
      ],
      advantages: [
        [1.5, 1.5, 1.5],
        [0.5, 0.5, 0],
      ],
      rollout_log_probs: [
        [-0.25, -1.25, -2.25],
        [-0.25, -1.25, 0],
      ],
    });
    expect(types).toMatchObject({ responses: 'int64', advantages: 'float32', rollout_log_probs: 'float32' });
    expect(others).toEqual({
      uid: ['group-1', 'group-1'],
      multi_modal_data: [{ images: [png(DARK)] }, { images: [png(DARK), png(LIGHT)] }],
    });
  });
});
