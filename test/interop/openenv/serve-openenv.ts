// A real `dartboard serve --openenv` in a process of its own, and Python with the clients that `node test/interop/openenv/install.mjs`
// installs. Needs the bundles that `npm test` builds first.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { CommandLine } from '../../e2e/command-line.ts';
import { PATIENCE } from '../../patience.ts';
import { temporaryFolder } from '../../temporary.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { OPENENV_FOLDER } from '../install-folder.mjs';
import { runPython } from '../python.ts';

export const BIN = join(OPENENV_FOLDER, 'environment/bin');
export const EXAMPLES = fileURLToPath(new URL('../../../docs/serve', import.meta.url));

const remedy = (file: string, option: string): string | undefined =>
  existsSync(join(OPENENV_FOLDER, file))
    ? undefined
    : `'node test/interop/openenv/install.mjs${option}' installs the packages, and this test runs.`;
/** Why tests are skipped; undefined if they run. */
export const missingOpenEnv = remedy('installed', '');
export const missingTrl = remedy('installed-trl', ' --trl');

/** Sends JSON to the standard input of a script in this folder, and resolves with the JSON that it prints. */
export const pythonHere = (script: string, input: object): Promise<unknown> =>
  runPython({ python: join(BIN, 'python'), script: fileURLToPath(new URL(script, import.meta.url)) }, input);

export interface ServedOpenEnv {
  readonly url: string;
  /** The output of the program. */
  readonly printed: () => string;
  readonly pid: number;
  /** Ends the process with a signal; resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function serveOpenEnv(
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedOpenEnv> {
  const commands = new CommandLine(temporaryFolder('openenv'), environment);
  const { program, said, ended } = commands.begin('serve', '--openenv', ...options);
  const urlOf = () => /base URL +(\S+)/.exec(said.stdout)?.[1];
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  await vi.waitFor(() => expect(urlOf() ?? hasEnded, said.stderr).toBeTruthy(), PATIENCE);
  const url = urlOf();
  if (url === undefined || program.pid === undefined) throw new Error(`It did not start: ${said.stderr}`);
  return {
    ...{ url, pid: program.pid, printed: () => said.stdout },
    stop: async (signal = 'SIGTERM') => {
      program.kill(signal);
      return (await ended).status;
    },
  };
}
