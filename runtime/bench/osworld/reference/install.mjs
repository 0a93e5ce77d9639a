// Installs OSWorld's own metrics for `npm run bench -- osworld --record`: `node runtime/bench/osworld/reference/install.mjs`.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { REFERENCE_FOLDER } from './folder.mjs';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
/** Contains the requirements that are installed. */
const DONE = join(REFERENCE_FOLDER, 'installed');
const ENVIRONMENT = join(REFERENCE_FOLDER, 'environment');

const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' });

const requirements = readFileSync(REQUIREMENTS, 'utf8');
if (!existsSync(DONE) || readFileSync(DONE, 'utf8') !== requirements) {
  rmSync(REFERENCE_FOLDER, { recursive: true, force: true });
  mkdirSync(REFERENCE_FOLDER, { recursive: true });
  run('python3', ['-m', 'venv', ENVIRONMENT]);
  const install = ['install', '--quiet', '--no-deps', '--disable-pip-version-check'];
  run(join(ENVIRONMENT, 'bin/pip'), [...install, '--requirement', REQUIREMENTS]);
  writeFileSync(DONE, requirements);
}
process.stdout.write(`OSWorld's metrics are installed in ${REFERENCE_FOLDER}\n`);
