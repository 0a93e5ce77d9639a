// The panels: one webview each. A command opens it, a reload restores it, and a relay connects it to the
// daemon.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Clock } from '../../runtime/core/clock.ts';
import { PANEL_TITLES, PANELS, type PanelName, type PanelPlace } from '../../runtime/protocol/panels.ts';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { userName } from '../user.ts';
import { panelHtml } from './page.ts';
import { Relay, type RelayOptions } from './relay.ts';
import { saveFile } from './save-file.ts';
import { SharedCalls } from './shared-calls.ts';
import type { Signature } from './signature.ts';

interface Options {
  readonly extensionUri: vscode.Uri;
  readonly client: DaemonClient;
  readonly clock: Clock;
  readonly log: (message: string) => void;
  readonly replied?: RelayOptions['replied'];
  readonly signature?: Signature;
  /** Panels of the sample run have titles of their own, and a reload of the window does not restore them. */
  readonly isSample?: boolean;
  /** Called after the last panel closes. */
  readonly onClose?: () => void;
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly relay: Relay;
}

const PANEL_COMMANDS: readonly (readonly [string, PanelName])[] = [
  [COMMANDS.openTraining, 'training'],
  [COMMANDS.openTrajectories, 'trajectories'],
  [COMMANDS.openUncertain, 'uncertain'],
  [COMMANDS.annotate, 'annotate'],
  [COMMANDS.openDesktops, 'desktops'],
  [COMMANDS.record, 'record'],
];

const EXCHANGE_COMMANDS = { import: COMMANDS.importTrajectories, export: COMMANDS.exportTrajectories };

export function activatePanels(commands: CommandTable, options: Options): Panels {
  const panels = new Panels(options);
  for (const [command, panel] of PANEL_COMMANDS)
    commands.on(command, ({ run, trajectory, step } = {}) =>
      panels.open({
        panel,
        ...(run !== undefined && { run }),
        ...(trajectory !== undefined && { trajectory }),
        ...(step !== undefined && { step }),
      }),
    );
  return panels;
}

/** The activation events of the manifest name the types of panels that a reload restores. */
const viewType = (name: PanelName, isSample = false): string =>
  `dartboard.${isSample ? 'sample' : 'panel'}.${name}`;

/** One page contains all panels. */
const PAGE = 'panels.html';

export class Panels {
  readonly #options: Options;
  readonly #folder: vscode.Uri;
  readonly #open = new Map<PanelName, OpenPanel>();
  /** Two quick commands open one panel. */
  readonly #creations = new SharedCalls<PanelName, OpenPanel>();
  readonly #serializers: vscode.Disposable;

  constructor(options: Options) {
    this.#options = options;
    this.#folder = vscode.Uri.joinPath(options.extensionUri, 'dist', 'webview');
    const restored = options.isSample === true ? [] : PANELS;
    this.#serializers = vscode.Disposable.from(
      ...restored.map(name =>
        vscode.window.registerWebviewPanelSerializer(viewType(name), {
          // VS Code gives the saved state to the page itself.
          deserializeWebviewPanel: async panel => {
            await this.#fill(name, panel);
          },
        }),
      ),
    );
  }

  async open(place: PanelPlace): Promise<void> {
    const { panel: name } = place;
    const create = async (): Promise<OpenPanel> => {
      const created = await this.#create(name);
      created.relay.show(place);
      return created;
    };
    const { panel, relay } = this.#open.get(name) ?? (await this.#creations.run(name, create));
    relay.showAgain(place);
    panel.reveal();
  }

  dispose(): void {
    for (const { panel, relay } of this.#open.values()) {
      // The window closes or reloads: a page that returns continues its recording.
      relay.dispose();
      panel.dispose();
    }
    this.#serializers.dispose();
  }

  async #create(name: PanelName): Promise<OpenPanel> {
    const type = viewType(name, this.#options.isSample);
    // After a reload, VS Code restores a panel only when the user selects its tab: replace the tab.
    const unrestored = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(type));
    await vscode.window.tabGroups.close(unrestored);
    const panel = vscode.window.createWebviewPanel(type, this.#titleOf(name), vscode.ViewColumn.Active, {
      enableFindWidget: true,
    });
    return await this.#fill(name, panel);
  }

  async #fill(name: PanelName, panel: vscode.WebviewPanel): Promise<OpenPanel> {
    const { extensionUri, client, clock, log, replied, signature, onClose } = this.#options;
    const { webview } = panel;
    const html = await readFile(vscode.Uri.joinPath(this.#folder, PAGE).fsPath, 'utf8').catch(
      (error: unknown) => {
        panel.dispose();
        throw error;
      },
    );
    panel.title = this.#titleOf(name);
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
    webview.options = { enableScripts: true, localResourceRoots: [this.#folder] };
    const relay = new Relay({
      ...{ client, clock, log },
      ...(replied && { replied }),
      ...(signature && { signature }),
      post: message => void webview.postMessage(message),
      open: place => void this.open(place),
      save: file => void saveFile(file, log),
      exchange: ({ what, run, trajectory }) =>
        void vscode.commands.executeCommand(EXCHANGE_COMMANDS[what], {
          ...(run !== undefined && { run }),
          ...(trajectory !== undefined && { trajectory }),
        }),
    });
    const opened = { panel, relay };
    this.#open.set(name, opened);
    webview.onDidReceiveMessage(message => relay.receive(message));
    // VS Code unloads the page of a hidden panel, and loads it again later.
    panel.onDidChangeViewState(() => !panel.visible && relay.hide());
    panel.onDidDispose(() => {
      relay.close();
      if (this.#open.get(name) === opened) this.#open.delete(name);
      if (this.#open.size === 0) onClose?.();
    });
    webview.html = panelHtml(html, {
      address: file => webview.asWebviewUri(vscode.Uri.joinPath(this.#folder, file)).toString(),
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      panel: name,
      userName: userName(),
    });
    return opened;
  }

  #titleOf(name: PanelName): string {
    return this.#options.isSample === true ? `Sample: ${PANEL_TITLES[name]}` : PANEL_TITLES[name];
  }
}
