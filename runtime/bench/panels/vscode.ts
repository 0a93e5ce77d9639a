// The panels in a real VS Code with the packed extension. The extension finds the daemon of this benchmark by the file in its workspace, as it
// finds any daemon.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { identityOf, thisProcess } from '../../core/process-identity.ts';
import { systemClock } from '../../core/system-clock.ts';
import { DAEMON_FILE } from '../../protocol/daemon/daemon-file.ts';
import { DAEMON_VERSION } from '../../protocol/daemon/messages.ts';
import { PANEL_TITLES, type PanelName, panelPlace } from '../../protocol/panels.ts';
import { publishDaemon } from '../../server/daemon-file.ts';
import type { WorkspaceRuns } from '../../server/workspace-runs.ts';
import { packExtension, startVsCode } from '../vscode/server.ts';
import { CodeWindow } from '../vscode/window.ts';
import type { BenchPanels } from './page.ts';
import { observePage } from './page-script.ts';

/** The panel beside the side bar is about as wide as the page in the browser. */
const VIEW = { width: 1640, height: 900 };
/** Of screenshots of failures. */
const SCREENSHOTS = 'out/screens';

interface BenchDaemon {
  readonly runs: WorkspaceRuns;
  readonly port: number;
  readonly token: string;
}

interface VsCodePanels extends BenchPanels {
  /** Of VS Code. */
  readonly version: string;
  close(): Promise<void>;
}

/** Opens the window of a VS Code whose extension is connected to the daemon. */
export async function openVsCode(
  browser: Browser,
  { runs, port, token }: BenchDaemon,
): Promise<VsCodePanels> {
  await mkdir(SCREENSHOTS, { recursive: true });
  const code = await startVsCode(await packExtension('.'), {});
  const page = await browser.newPage({ viewport: VIEW });
  const close = async () => {
    await page.close();
    await code.close();
    code.remove();
  };
  try {
    const daemon = { ...identityOf(thisProcess()), port, token, version: DAEMON_VERSION };
    await publishDaemon(join(code.workspace, DAEMON_FILE), { ...daemon, startedAt: systemClock.now() });
    const window = new CodeWindow(page, SCREENSHOTS);
    await window.open(code.address);
    const shown = async (panel: PanelName) => {
      const body = await (await window.panel(panel)).locator('body').elementHandle();
      const frame = await body?.ownerFrame();
      if (frame === undefined || frame === null)
        throw new Error(`The panel '${panel}' of VS Code closed. Run the benchmark again.`);
      await frame.evaluate(observePage);
      return frame;
    };
    return {
      runs,
      version: code.version,
      async open(hash) {
        const [panel, query = ''] = hash.replace('#/', '').split('?');
        const place = panelPlace.parse({ panel, ...Object.fromEntries(new URLSearchParams(query)) });
        await window.command(COMMANDS[place.panel] ?? `Dartboard: Open ${PANEL_TITLES[place.panel]}`);
        const frame = await shown(place.panel);
        // As the extension shows a place that another panel asks for.
        await frame.evaluate(asked => self.postMessage({ kind: 'show', place: asked }), place);
        return frame;
      },
      follow: (_, panel) => shown(panel),
      leave: () => window.command('View: Close All Editors'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The titles of the commands that are not called after their panels. */
const COMMANDS: Partial<Record<PanelName, string>> = { record: 'Dartboard: Record Demonstration' };
