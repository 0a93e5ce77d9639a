// The panels: one webview each, opened by its command, brought back after a reload, talking to the daemon through a relay.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { PANEL_TITLES, PANELS, type PanelName, type PanelPlace } from '../../runtime/protocol/panels.ts';
import type { Clock, DaemonClient } from '../daemon/client.ts';
import { user } from '../user.ts';
import { pageOf } from './page.ts';
import { Relay } from './relay.ts';

interface Options {
  readonly extensionUri: vscode.Uri;
  readonly client: DaemonClient;
  readonly clock: Clock;
  readonly note: (message: string) => void;
  readonly annotated?: () => void;
  /** Those of the sample run: they have titles of their own, and do not come back after a reload. */
  readonly isSample?: boolean;
  /** Called when the last of them was closed. */
  readonly closed?: () => void;
}

interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly relay: Relay;
}

/** The manifest names these too, as what wakes the extension; not those of a sample. */
const viewType = (name: PanelName, isSample = false): string =>
  `dartboard.${isSample ? 'sample' : 'panel'}.${name}`;

/** Shows them all. */
const PAGE = 'panels.html';

export class Panels {
  readonly #options: Options;
  readonly #folder: vscode.Uri;
  readonly #shown = new Map<PanelName, Shown>();
  readonly #disposables: vscode.Disposable[];

  constructor(options: Options) {
    this.#options = options;
    this.#folder = vscode.Uri.joinPath(options.extensionUri, 'dist', 'webview');
    this.#disposables = (options.isSample === true ? [] : PANELS).map(name =>
      vscode.window.registerWebviewPanelSerializer(viewType(name), {
        // What was selected is in the state that VS Code hands to the page itself.
        deserializeWebviewPanel: panel => this.#fill(name, panel).then(() => undefined),
      }),
    );
  }

  async open(place: PanelPlace): Promise<void> {
    const { panel: name, ...where } = place;
    const known = this.#shown.get(name);
    const shown = known ?? (await this.#openNew(name));
    // Whoever only wants the panel finds it as it was left.
    if (known === undefined || Object.values(where).some(each => each !== undefined)) shown.relay.show(place);
    shown.panel.reveal();
  }

  dispose(): void {
    for (const { panel } of this.#shown.values()) panel.dispose();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  async #openNew(name: PanelName): Promise<Shown> {
    const type = viewType(name, this.#options.isSample);
    // After a reload VS Code brings a panel back when somebody turns to it, and offers no way to do so from here.
    const asleep = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(type));
    await vscode.window.tabGroups.close(asleep);
    const options = { enableFindWidget: true };
    const panel = vscode.window.createWebviewPanel(
      type,
      this.#titleOf(name),
      vscode.ViewColumn.Active,
      options,
    );
    return await this.#fill(name, panel);
  }

  async #fill(name: PanelName, panel: vscode.WebviewPanel): Promise<Shown> {
    const { extensionUri, client, clock, note, annotated } = this.#options;
    const { webview } = panel;
    const page = await readFile(vscode.Uri.joinPath(this.#folder, PAGE).fsPath, 'utf8').catch(
      (error: unknown) => {
        panel.dispose();
        throw error;
      },
    );
    panel.title = this.#titleOf(name);
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
    webview.options = { enableScripts: true, localResourceRoots: [this.#folder] };
    const relay = new Relay({
      ...{ client, clock, note },
      ...(annotated && { annotated }),
      post: message => void webview.postMessage(message),
      open: place => void this.open(place),
    });
    const shown = { panel, relay };
    this.#shown.set(name, shown);
    webview.onDidReceiveMessage(message => relay.hear(message));
    // VS Code takes a page down that is not seen, and loads it anew.
    panel.onDidChangeViewState(() => !panel.visible && relay.hide());
    panel.onDidDispose(() => {
      relay.dispose();
      if (this.#shown.get(name) === shown) this.#shown.delete(name);
      if (this.#shown.size === 0) this.#options.closed?.();
    });
    webview.html = pageOf(page, {
      address: file => webview.asWebviewUri(vscode.Uri.joinPath(this.#folder, file)).toString(),
      source: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      panel: name,
      language: vscode.env.language,
      who: user(),
    });
    return shown;
  }

  #titleOf(name: PanelName): string {
    return this.#options.isSample === true
      ? vscode.l10n.t('Sample: {0}', PANEL_TITLES[name])
      : PANEL_TITLES[name];
  }
}
