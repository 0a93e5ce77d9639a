// Installs MiniWoB++'s own environment for the benchmark: `node runtime/bench/web/gymnasium/install.mjs`. It also needs a Chromium and its
// driver, such as Debian's packages chromium and chromium-driver.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { GYMNASIUM_FOLDER } from './folder.mjs';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
/** Contains the requirements that are installed. */
const DONE = join(GYMNASIUM_FOLDER, 'installed');
const ENVIRONMENT = join(GYMNASIUM_FOLDER, 'environment');

const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' });

const requirements = readFileSync(REQUIREMENTS, 'utf8');
if (!existsSync(DONE) || readFileSync(DONE, 'utf8') !== requirements) {
  rmSync(GYMNASIUM_FOLDER, { recursive: true, force: true });
  mkdirSync(GYMNASIUM_FOLDER, { recursive: true });
  run('python3', ['-m', 'venv', ENVIRONMENT]);
  const install = ['install', '--quiet', '--no-deps', '--disable-pip-version-check'];
  run(join(ENVIRONMENT, 'bin/pip'), [...install, '--requirement', REQUIREMENTS]);
  writeFileSync(DONE, requirements);
}
process.stdout.write(`MiniWoB++'s Gymnasium environment is installed in ${GYMNASIUM_FOLDER}\n`);
