// Runs Python with the packages that `node test/interop/install.mjs` installs.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { PYTHON_FOLDER } from './install-folder.mjs';

export const PYTHON = join(PYTHON_FOLDER, 'environment/bin/python');

/** Why tests are skipped; undefined if they run. */
export const missingPackages = existsSync(join(PYTHON_FOLDER, 'installed'))
  ? undefined
  : `The Python packages are not installed in '${PYTHON_FOLDER}': 'node test/interop/install.mjs' installs them, and this test runs.`;

/** Sends JSON to the standard input of a script in this folder, and resolves with the JSON that it prints. */
export const python = (script: string, input: object): Promise<unknown> =>
  runPython({ python: PYTHON, script: fileURLToPath(new URL(script, import.meta.url)) }, input);

export interface PythonScript {
  readonly python: string;
  readonly script: string;
  readonly environment?: NodeJS.ProcessEnv;
}

export async function runPython(
  { python, script, environment = process.env }: PythonScript,
  input: object,
): Promise<unknown> {
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'], env: environment });
  child.stdin.end(JSON.stringify(input));
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`${script} ended with code ${child.exitCode}: ${output}`);
  return JSON.parse(output);
}
