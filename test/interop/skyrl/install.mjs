// Installs SkyRL for the tests in this folder: `node test/interop/skyrl/install.mjs`. It has an environment of its own, because its packages
// need other versions than those of the tests beside it. Each version of SkyRL has a folder, and all share the other packages.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { SKYRL_FOLDER, SKYRL_VERSIONS } from '../install-folder.mjs';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
/** Contains what is installed. */
const DONE = join(SKYRL_FOLDER, 'installed');
const ENVIRONMENT = join(SKYRL_FOLDER, 'environment');
const PIP = join(ENVIRONMENT, 'bin/pip');

const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' });

const requirements = `${SKYRL_VERSIONS.join(' ')}\n${readFileSync(REQUIREMENTS, 'utf8')}`;
if (!existsSync(DONE) || readFileSync(DONE, 'utf8') !== requirements) {
  rmSync(SKYRL_FOLDER, { recursive: true, force: true });
  mkdirSync(SKYRL_FOLDER, { recursive: true });
  run('python3', ['-m', 'venv', ENVIRONMENT]);
  const install = ['install', '--quiet', '--no-deps', '--disable-pip-version-check'];
  run(PIP, [...install, '--requirement', REQUIREMENTS]);
  // SkyRL 0.4.0 asks for Python 3.12, but its server with the JAX backend runs on 3.11.
  for (const version of SKYRL_VERSIONS)
    run(PIP, [
      ...[...install, '--ignore-requires-python', '--target', join(SKYRL_FOLDER, version)],
      `skyrl==${version}`,
    ]);
  writeFileSync(DONE, requirements);
}
process.stdout.write(`SkyRL is installed in ${SKYRL_FOLDER}\n`);
