// Installs the clients of OpenEnv for the tests in this folder: `node test/interop/openenv/install.mjs`. It has an environment of its own,
// because its packages need other versions than those of the tests beside it. With `--trl` also TRL and PyTorch, which take 5 GB.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { OPENENV_FOLDER } from '../install-folder.mjs';

const ENVIRONMENT = join(OPENENV_FOLDER, 'environment');
const PIP = join(ENVIRONMENT, 'bin/pip');

const run = (program, args) => execFileSync(program, args, { stdio: 'inherit' });

/** The file `done` contains the requirements that are installed. */
function install(name, done, prepare) {
  const requirements = fileURLToPath(new URL(name, import.meta.url));
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return;
  rmSync(done, { force: true });
  prepare();
  const options = ['--quiet', '--no-deps', '--disable-pip-version-check'];
  run(PIP, ['install', ...options, '--requirement', requirements]);
  writeFileSync(done, wanted);
}

install('requirements.txt', join(OPENENV_FOLDER, 'installed'), () => {
  rmSync(OPENENV_FOLDER, { recursive: true, force: true });
  mkdirSync(OPENENV_FOLDER, { recursive: true });
  run('python3', ['-m', 'venv', ENVIRONMENT]);
});
if (process.argv.includes('--trl'))
  install('requirements-trl.txt', join(OPENENV_FOLDER, 'installed-trl'), () => undefined);
process.stdout.write(`The clients of OpenEnv are installed in ${OPENENV_FOLDER}\n`);
