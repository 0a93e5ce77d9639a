// A tree whose nodes come from the daemon. It reloads when it becomes visible, when the connection or the
// live run changes, and regularly during a training. A hidden tree sends no requests.

import * as vscode from 'vscode';
import { messageOf } from '../../runtime/core/errors.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { liveRun } from '../runs/run-list.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { ViewNode } from './runs-tree.ts';
import { TreeNodesView } from './view.ts';

interface Options {
  readonly client: DaemonClient;
  readonly runs: RunStore;
  readonly load: () => Promise<{
    readonly nodes: readonly ViewNode[];
    /** Shown above them. */
    readonly message?: string | undefined;
  }>;
  readonly onVisible: () => void;
}

/** During a training each rollout changes the nodes. */
const RELOAD_INTERVAL_MS = 10_000;

export class DaemonTree {
  readonly #options: Options;
  readonly #view: TreeNodesView;
  readonly #disposables: vscode.Disposable;
  readonly #timer: NodeJS.Timeout;
  #loadedFor = '';

  constructor(id: string, options: Options) {
    this.#options = options;
    this.#view = new TreeNodesView(id);
    const { runs, onVisible } = options;
    this.#timer = setInterval(() => liveRun(runs.list) !== undefined && this.refresh(), RELOAD_INTERVAL_MS);
    this.#disposables = vscode.Disposable.from(
      this.#view,
      this.#view.onVisible(() => {
        onVisible();
        this.refresh();
      }),
      runs.onChange(() => this.#reloadOnChange()),
    );
    if (this.#view.isVisible) onVisible();
    this.refresh();
  }

  refresh(): void {
    const { client, load } = this.#options;
    if (!this.#view.isVisible || client.state.kind !== 'connected') return;
    load().then(
      ({ nodes, message }) => this.#view.show(nodes, message),
      (error: unknown) => this.#view.show([], messageOf(error)),
    );
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#disposables.dispose();
  }

  #reloadOnChange(): void {
    const { client, runs } = this.#options;
    const current = `${client.state.kind} ${liveRun(runs.list)?.run}`;
    if (current === this.#loadedFor) return;
    this.#loadedFor = current;
    this.refresh();
  }
}
