// `dartboard model serve` before it starts processes.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeMicro } from '../../runtime/agents/micro/weights-file.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { TINY, tinyWeights } from '../agents/micro/tiny.ts';
import { contextWithoutProcesses } from './command-context.ts';

test('rejects --coordinates for weights of the micro model, which would ignore them', async () => {
  const { context, errors } = contextWithoutProcesses();
  const weights = encodeMicro({ shape: TINY, version: 1, weights: tinyWeights('served') });
  writeFileSync(join(context.folder, 'micro.safetensors'), weights);
  const args = ['model', 'serve', '--weights', join(context.folder, 'micro.safetensors')];
  expect(await runProgram(context, [...args, '--coordinates', 'ui-tars-1.0'])).toBe(1);
  expect(errors.join()).toMatch(
    /^--coordinates ui-tars-1\.0: .*micro\.safetensors has weights of the micro model, whose coordinates are fixed\. Leave the option out/,
  );
});
