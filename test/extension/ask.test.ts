// All questions of the extension go through one file, which keeps them open when something else gets the focus.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = new URL('../../extension/', import.meta.url).pathname;
const CALLS = /\b(?:show|create)(?:QuickPick|InputBox)\b/;

test('no other file opens a quick pick or an input box', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  );
  const asking = files.filter(name => CALLS.test(readFileSync(join(FOLDER, name), 'utf8')));
  expect(asking).toEqual(['ask.ts']);
});
