import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  makeTemporaryFolder,
  removeStaleFolders,
  removeTemporaryFolder,
} from '../../../../runtime/environments/web/browser/temporary-folder.ts';
import { temporaryFolder } from '../../../temporary.ts';

test('the folders of processes of this place that ended are removed, and no others', async () => {
  const parent = temporaryFolder('profiles');
  const { pid } = spawnSync(process.execPath, ['--version']);
  const own = makeTemporaryFolder(parent);
  const ofEnded = basename(own).replace(`-${process.pid}-`, `-${pid}-`);
  const [stale, elsewhere, other] = [
    join(parent, ofEnded),
    // Another machine or container: the process may run there.
    join(parent, ofEnded.replace(/^dartboard-browser-[0-9a-f]+-/, 'dartboard-browser-00000000-')),
    join(parent, 'dartboard-browser-x-1'),
  ];
  for (const folder of [stale, elsewhere, other]) mkdirSync(folder);
  writeFileSync(join(stale, 'Preferences'), '{}');
  await removeStaleFolders(parent);
  expect([own, stale, elsewhere, other].map(existsSync)).toEqual([true, false, true, true]);
  await removeTemporaryFolder(own);
  await removeTemporaryFolder(own);
  expect(existsSync(own)).toBe(false);
});
