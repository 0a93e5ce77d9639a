// The trajectories of a run in the success pool. A run with members is not deleted.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runId } from '../../../runtime/core/ids.ts';
import { MARKS } from '../../../runtime/data/files/places.ts';
import { membersOf } from '../../../runtime/run/folders/pool-members.ts';
import { temporaryFolder } from '../../temporary.ts';

test('without a file of marks there are no members', async () => {
  expect(await membersOf(temporaryFolder('members'), runId('a'))).toEqual([]);
});

test('marks that cannot be read are an error: otherwise the run would be deleted with its members', async () => {
  const root = temporaryFolder('members');
  await mkdir(join(root, MARKS));
  await expect(membersOf(root, runId('a'))).rejects.toThrow('EISDIR');
});
