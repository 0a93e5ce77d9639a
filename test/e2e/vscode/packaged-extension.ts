// VS Code with the packaged extension and a folder of its own, and its window in a browser. Leaves no process
// and no file behind.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasVsCode, packExtension, startVsCode, VSCODE_HINT } from '../../../runtime/bench/vscode/server.ts';
import { CodeWindow } from '../../../runtime/bench/vscode/window.ts';
import { DAEMON_FILE, daemonAddress } from '../../../runtime/protocol/daemon/daemon-file.ts';
import { HOW_TO as CHROMIUM_HINT, hasChromium, launch } from '../chromium.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder of screenshots. */
export const SCREENSHOTS = join(ROOT, 'out/screens');

if (!hasVsCode()) process.stderr.write(`${VSCODE_HINT}\n`);
if (!hasChromium) process.stderr.write(`${CHROMIUM_HINT}\n`);

export const canLaunch = hasVsCode() && hasChromium;

export interface PackagedExtension {
  readonly window: CodeWindow;
  readonly workspace: string;
  /** The daemon of the workspace; throws if there is none. */
  daemon(): { readonly pid: number };
  /** Of the daemon of the workspace, if there is one. */
  pid(): number | undefined;
  /** Closes the last window. */
  close(): Promise<void>;
  /** Closes and deletes everything, including what a failed test has left. */
  remove(): Promise<void>;
}

/** `config` is the workspace's `dartboard.json`; `settings` are user settings. */
export async function launchExtension({
  config,
  settings = {},
}: {
  readonly config?: object;
  readonly settings?: Readonly<Record<string, unknown>>;
} = {}): Promise<PackagedExtension> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const code = await startVsCode(await packExtension(ROOT), settings);
  const { workspace } = code;
  if (config !== undefined) writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify(config));
  const browser = await launch();
  const file = join(workspace, DAEMON_FILE);
  const daemon = () => daemonAddress.parse(JSON.parse(readFileSync(file, 'utf8')));
  const pid = () => (existsSync(file) ? daemon().pid : undefined);
  const close = async () => {
    await browser.close();
    await code.close();
  };
  const remove = async () => {
    await close();
    if (existsSync(file)) process.kill(daemon().pid, 'SIGTERM');
    code.remove();
  };
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
    const window = new CodeWindow(page, SCREENSHOTS);
    await window.open(code.address);
    return { window, workspace, daemon, pid, close, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
