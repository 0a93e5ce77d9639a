// A folder of temporary files in which nothing can be deleted any more.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../temporary.ts';

/** The report about received files that cannot be deleted. */
export const STAYS =
  /^The task files of the run in \S+dartboard-joined-\S+ cannot be deleted: .*Delete the folder\.$/;

/** This process uses it until the test ends. The result makes a file of it: no user, root neither, can delete what is in a file. */
export function breakableTemporaryFolder(): () => void {
  const folder = join(temporaryFolder('breakable'), 'temporary');
  mkdirSync(folder);
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => {
    renameSync(folder, `${folder}-before`);
    writeFileSync(folder, '');
  };
}
