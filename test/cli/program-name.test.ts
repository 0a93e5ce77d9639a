// The command that texts name, by the way in which the program was started.

import { expect, test } from 'vitest';
import { programName } from '../../runtime/cli/program-name.ts';

test.each([
  ['npx in the folder of the package', 'dist/main.js', 'exec', true, 'npx dartboard'],
  [
    'npx with a link of npm',
    '/root/.npm/_npx/1f2e/node_modules/.bin/dartboard',
    'exec',
    true,
    'npx dartboard',
  ],
  ['npm start', 'dist/main.js', 'start', true, 'npx dartboard'],
  ['a linked command', '/usr/local/bin/dartboard', undefined, false, 'dartboard'],
  [
    'node in another folder',
    '/opt/dartboard/dist/main.js',
    undefined,
    false,
    'node /opt/dartboard/dist/main.js',
  ],
  [
    'node in a folder with a blank',
    '/home/me/my tools/dist/main.js',
    undefined,
    false,
    'node "/home/me/my tools/dist/main.js"',
  ],
  ['node in a folder that has a dist/main.js', 'dist/main.js', undefined, false, 'node dist/main.js'],
])('started by %s', (_, file, npmCommand, isInPackage, name) => {
  expect(programName({ file, npmCommand, isInPackage })).toBe(name);
});
