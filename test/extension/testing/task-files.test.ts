import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileVersions } from '../../../extension/testing/task-files.ts';
import { temporaryFolder } from '../../temporary.ts';

const HOUR_S = 3600;

test('the versions change with each file that is created, changed or deleted, and with nothing else', async () => {
  const root = temporaryFolder('task-files');
  const paths = [join(root, 'dartboard.json'), join(root, 'tasks')];
  const seen = new Set<string>();
  const expectNew = async (change: () => void) => {
    change();
    const versions = await fileVersions(paths);
    expect(seen).not.toContain(versions);
    seen.add(versions);
    expect(await fileVersions(paths)).toBe(versions);
  };
  const file = join(root, 'tasks/pocket/deep/first.json');
  await expectNew(() => undefined);
  await expectNew(() => writeFileSync(join(root, 'dartboard.json'), '{}'));
  await expectNew(() => {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '1');
  });
  await expectNew(() => writeFileSync(file, '12'));
  // Of the same size.
  await expectNew(() => utimesSync(file, HOUR_S, HOUR_S));
  await expectNew(() => writeFileSync(join(root, 'tasks/second.json'), '1'));
  const versions = await fileVersions(paths);
  writeFileSync(join(root, 'tasks/notes.txt'), 'x');
  writeFileSync(join(root, 'elsewhere.json'), '1');
  expect(await fileVersions(paths)).toBe(versions);
  rmSync(file);
  rmSync(join(root, 'dartboard.json'));
  expect(seen).not.toContain(await fileVersions(paths));
});
