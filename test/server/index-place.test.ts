// The place of the index, also when the configuration has an error.

import { expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { EMBEDDED } from '../../runtime/data/index/place.ts';
import { indexPlaceIn } from '../../runtime/server/index-place.ts';

test('is that of the configuration', async () => {
  const index = { kind: 'postgres', url: 'postgres://me@db/dartboard' } as const;
  expect(await indexPlaceIn(async () => parseConfig({ index }), expect.unreachable)).toEqual(index);
});

test('a configuration with an error is reported, and the index is in the folder of the runs', async () => {
  const notices: string[] = [];
  const wrong = async () => parseConfig({ minutes: 'many' });
  expect(await indexPlaceIn(wrong, message => notices.push(message))).toEqual(EMBEDDED);
  expect(notices).toEqual([expect.stringContaining('minutes')]);
});

test('other errors are passed on', async () => {
  const failing = () => Promise.reject(new Error('the disk is gone'));
  await expect(indexPlaceIn(failing, expect.unreachable)).rejects.toThrow('the disk is gone');
});
