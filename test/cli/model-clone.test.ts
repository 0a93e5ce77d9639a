// `dartboard model clone` before it starts processes, and its progress. test/e2e/model-clone.test.ts runs it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../runtime/cli/program.ts';
import { CloningDisplay } from '../../runtime/cli/terminal/cloning-display.ts';
import { contextWithoutProcesses } from './command-context.ts';
import { file } from './terminal/screen.ts';

test('keeps a file that exists, and says what to do', async () => {
  const { context, errors } = contextWithoutProcesses();
  writeFileSync(join(context.folder, 'micro.safetensors'), 'weights');
  expect(await runProgram(context, ['model', 'clone'])).toBe(1);
  expect(errors).toEqual([
    "'micro.safetensors' exists, and its weights are kept. Name another file with --to, or delete it.",
  ]);
  expect(readFileSync(join(context.folder, 'micro.safetensors'), 'utf8')).toBe('weights');
});

test('names a folder that does not exist before it clones', async () => {
  const { context, errors } = contextWithoutProcesses();
  expect(await runProgram(context, ['model', 'clone', '--to', 'none/micro.safetensors'])).toBe(1);
  expect(errors.join()).toMatch(
    /^'none\/micro.safetensors' cannot be written: .*does not exist.* Make its folder, or name another file with --to\.$/s,
  );
});

test.each(['0', 'x', '-1'])('rejects %s minutes with what it accepts', async minutes => {
  const { context, errors } = contextWithoutProcesses();
  expect(await runProgram(context, ['model', 'clone', '--minutes', minutes])).toBe(1);
  expect(errors.join()).toContain('Give a number above 0');
});

test('its help has the default number of examples and the next command', async () => {
  const { context, output } = contextWithoutProcesses();
  await runProgram(context, ['model', 'clone', '--help']);
  expect(output.text).toMatch(/--examples <number>.*\(default:\s+14000\)/s);
  expect(output.text).toContain('dartboard model serve --weights micro.safetensors');
});

test('without a terminal it prints the first progress at once, and then twelve lines in all', () => {
  const output = file();
  const display = new CloningDisplay({ output, environment: {} }, { minutes: 6 });
  for (let step = 1; step < 600; step++)
    display.show({ minutes: step / 100, steps: step, examples: 10 * step, tokens: 1, loss: 3 / step }, false);
  display.end();
  const lines = output.text.trim().split('\n');
  expect(lines).toHaveLength(12);
  expect(lines[0]).toBe('0.0 of 6 min · 10 examples · 3.000 nats per reply token');
});

test('with a number of examples the progress is their share', () => {
  const output = file();
  const display = new CloningDisplay({ output, environment: {} }, { examples: 6000 });
  for (let step = 1; step < 600; step++)
    display.show({ minutes: 1, steps: step, examples: 10 * step, tokens: 1, loss: 3 / step }, false);
  display.end();
  const lines = output.text.trim().split('\n');
  expect(lines).toHaveLength(12);
  expect(lines[1]).toBe('1.0 min · 500 of 6,000 examples · 0.060 nats per reply token');
});

test('minutes and a number of examples exclude each other', async () => {
  const { context, errors } = contextWithoutProcesses();
  expect(await runProgram(context, ['model', 'clone', '--minutes', '4', '--examples', '100'])).toBe(1);
  expect(errors.join()).toContain('--examples');
});
