// VS Code with the packaged extension, in a folder of its own, and its window in a browser: what the tests of the extension begin with,
// and what they leave nothing of.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DAEMON_FILE, daemonAddress } from '../../../runtime/protocol/daemon/daemon-file.ts';
import { HOW_TO as HOW_TO_CHROMIUM, hasChromium, launch } from '../chromium.ts';
import { HOW_TO, hasVsCode, startVsCode } from './server.ts';
import { Window } from './window.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Pictures of what was looked at are written here. */
export const SCREENS = join(ROOT, 'out/screens');

if (!hasVsCode) process.stderr.write(`${HOW_TO}\n`);
if (!hasChromium) process.stderr.write(`${HOW_TO_CHROMIUM}\n`);

export const canOpen = hasVsCode && hasChromium;

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

export interface Opened {
  readonly window: Window;
  readonly workspace: string;
  /** The daemon of the workspace; throws where there is none. */
  daemon(): { readonly pid: number };
  /** As when somebody closes the last window. */
  leave(): Promise<void>;
  /** With all that a test that failed half-way has left. */
  remove(): Promise<void>;
}

/** `config` is the workspace's `dartboard.json`; `settings` are the user's. */
export async function openPackaged({
  config,
  settings = {},
}: {
  readonly config?: object;
  readonly settings?: Readonly<Record<string, unknown>>;
} = {}): Promise<Opened> {
  mkdirSync(SCREENS, { recursive: true });
  const packed = await promisify(execFile)(process.execPath, ['scripts/package.mjs'], { cwd: ROOT });
  const vsix = /^(\S+\.vsix): /m.exec(packed.stdout)?.[1] ?? '';
  const code = await startVsCode(join(ROOT, vsix), { ...SETTINGS, ...settings });
  const { workspace } = code;
  if (config !== undefined) writeFileSync(join(workspace, 'dartboard.json'), JSON.stringify(config));
  const browser = await launch();
  const file = join(workspace, DAEMON_FILE);
  const daemon = () => daemonAddress.parse(JSON.parse(readFileSync(file, 'utf8')));
  const leave = async () => {
    await browser.close();
    await code.close();
  };
  const remove = async () => {
    await leave();
    if (existsSync(file)) process.kill(daemon().pid, 'SIGTERM');
    code.remove();
  };
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
    const window = new Window(page, SCREENS);
    await page.goto(code.address, { waitUntil: 'domcontentloaded', timeout: 60_000 });
    await window.ready();
    return { window, workspace, daemon, leave, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
