import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfigFile } from '../../extension/config-file.ts';
import { folder } from '../data/trajectories.ts';

test('a missing dartboard.json is empty', async () => {
  expect(await readConfigFile(folder())).toEqual({});
});

test('an unreadable dartboard.json has the remedy for its reason', async () => {
  const [invalid, occupied] = [folder(), folder()];
  writeFileSync(join(invalid, 'dartboard.json'), '{');
  mkdirSync(join(occupied, 'dartboard.json'));
  await expect(readConfigFile(invalid)).rejects.toThrow(
    /^'dartboard\.json' cannot be read: .*[^.]\. Correct the file, then try again\.$/,
  );
  await expect(readConfigFile(occupied)).rejects.toThrow(
    /^'dartboard\.json' cannot be read: .* it is a folder \(EISDIR\)\. Name a file, or move the folder away\.$/,
  );
});
