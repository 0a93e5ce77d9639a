// The folder of `dartboard eval --agent … --out`.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareOsworldResults } from '../../runtime/cli/osworld-results.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { temporaryFolder } from '../temporary.ts';
import { contextWithoutProcesses } from './command-context.ts';

test('the folder is made before the evaluation, and stays empty', async () => {
  const folder = temporaryFolder('results');
  await prepareOsworldResults(folder, 'of/toy');
  expect(readdirSync(join(folder, 'of/toy'))).toEqual([]);
});

test('a folder that cannot be written ends the command before the evaluation starts', async () => {
  const { context, output, errors } = contextWithoutProcesses();
  writeFileSync(join(context.folder, 'plain'), '');
  const args = ['eval', '--agent', 'compact', '--out', 'plain/results'];
  expect(await runProgram({ ...context, root: join(context.folder, 'runs') }, args)).toBe(1);
  expect(errors.join()).toMatch(/^--out 'plain\/results' cannot be written \(.+\)\. Give a folder/);
  expect(output.text).toBe('');
  // A collection would have made the folder of the runs.
  expect(readdirSync(context.folder)).toEqual(['plain']);
});
