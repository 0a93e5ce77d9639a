// Installs tinker-cookbook for the test in this folder: `node test/interop/cookbook/install.mjs`. It has an environment of its own, so that
// a change here does not install the other packages again.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { COOKBOOK_FOLDER } from '../install-folder.mjs';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
/** Contains the requirements that are installed. */
const DONE = join(COOKBOOK_FOLDER, 'installed');
const ENVIRONMENT = join(COOKBOOK_FOLDER, 'environment');

const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' });

const requirements = readFileSync(REQUIREMENTS, 'utf8');
if (!existsSync(DONE) || readFileSync(DONE, 'utf8') !== requirements) {
  rmSync(COOKBOOK_FOLDER, { recursive: true, force: true });
  mkdirSync(COOKBOOK_FOLDER, { recursive: true });
  run('python3', ['-m', 'venv', ENVIRONMENT]);
  const options = ['--quiet', '--no-deps', '--disable-pip-version-check'];
  run(join(ENVIRONMENT, 'bin/pip'), ['install', ...options, '--requirement', REQUIREMENTS]);
  writeFileSync(DONE, requirements);
}
process.stdout.write(`tinker-cookbook is installed in ${COOKBOOK_FOLDER}\n`);
