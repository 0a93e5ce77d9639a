// `dartboard tasks check` on task files of the pocket desktop.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../runtime/cli/program.ts';
import { EXAMPLE } from '../environments/pocket/tasks/guide.ts';
import { contextWithoutProcesses } from './command-context.ts';

const check = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  checkWith(new AbortController().signal, files, ...args);

async function checkWith(
  stop: AbortSignal,
  files: Readonly<Record<string, string>>,
  ...args: readonly string[]
) {
  const { context: own, output, errors } = contextWithoutProcesses();
  const context = { ...own, stopSignal: () => stop };
  const folder = join(context.folder, '.dartboard', 'tasks', 'pocket');
  if (Object.keys(files).length > 0) mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const before = process.exitCode;
  const code = await runProgram(context, ['tasks', 'check', ...args]);
  process.exitCode = before;
  return { code, text: output.text, errors: errors.join('\n') };
}

/** The example with another id, and with steps that do something else. */
const changed = (id: string, solution?: readonly unknown[]): string => {
  const file = JSON.parse(EXAMPLE);
  return JSON.stringify({
    ...{ ...file, id },
    dartboard: { ...file.dartboard, ...(solution !== undefined && { solution }) },
  });
};

test('a folder of good tasks can train', async () => {
  const { code, text } = await check({ 'mine.json': EXAMPLE });
  expect(text).toMatch(/ok +quieter-alerts .*mine\.json, 4 instances/);
  expect(text).toContain('1 of 1 task can train.');
  expect(code).toBe(0);
});

test('every faulty task is reported with its instances, and the others too', async () => {
  const files = { 'bad.json': changed('bad', [['open', 'Notes']]), 'mine.json': EXAMPLE };
  const { code, text } = await check(files, 'pocket', '--instances', '1');
  expect(text).toMatch(/wrong +bad /);
  expect(text).toMatch(/instance 0: the solution scores 0: .*\n.*instance 1000: the solution scores 0: /);
  expect(text).toMatch(/ok +quieter-alerts .*2 instances/);
  expect(text).toContain('1 of 2 tasks can train.');
  expect(code).toBe(1);
});

test('--json prints one object', async () => {
  const { code, text } = await check({ 'mine.json': EXAMPLE }, '--json');
  expect(JSON.parse(text)).toMatchObject({
    tasks: [{ id: 'quieter-alerts', instances: 4, faults: [], unneeded: [] }],
  });
  expect(code).toBe(0);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['without the folder', {}],
  ['with an empty folder', { 'notes.txt': '' }],
])('a workspace %s of task files is an error that says where they belong', async (_, files) => {
  const { code, errors, text } = await check(files);
  expect(text).toBe('');
  expect(errors).toContain('.dartboard/tasks/pocket or .dartboard/tasks/web; docs/tasks.md describes them.');
  expect(code).toBe(1);
});

test('a file that cannot be read as a task is an error that names it', async () => {
  const { code, errors } = await check({ 'bad.json': '{' });
  expect(errors).toMatch(/bad\.json cannot be read as JSON/);
  expect(code).toBe(1);
});

test('an instance that cannot be made is a fault of its file, and the others are checked', async () => {
  const bad = changed('bad').replace('{sound}', '{sonud}');
  expect(bad).toContain('{sonud}');
  const { code, text } = await check({ 'bad.json': bad, 'mine.json': EXAMPLE });
  expect(text).toMatch(/wrong +bad .*\n.*instance 0: \{sonud\} has no value/);
  expect(text).toMatch(/ok +quieter-alerts/);
  expect(code).toBe(1);
});

test('an id that a built-in task has is an error, as in a training', async () => {
  const { code, errors } = await check({ 'mine.json': changed('notes-write') });
  expect(errors).toMatch(/Two tasks have the id 'notes-write'.*Change one of the ids\./);
  expect(code).toBe(1);
});

test('a check that is stopped is no success', async () => {
  const { code, text, errors } = await checkWith(AbortSignal.abort(), { 'mine.json': EXAMPLE });
  expect(errors).toBe('Stopped: not all tasks of pocket desktops were checked.');
  expect(text).toBe('');
  expect(code).toBe(1);
});
