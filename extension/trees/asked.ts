// A tree whose nodes the daemon is asked for: when it comes into view, when the daemon comes, when a run begins or ends, and now and
// then while one trains. Nobody is asked for what nobody sees.

import * as vscode from 'vscode';
import type { DaemonClient } from '../daemon/client.ts';
import { liveRun } from '../runs/known.ts';
import type { Runs } from '../runs/runs.ts';
import type { Node } from './runs-tree.ts';
import { NodesView } from './view.ts';

interface Options {
  readonly client: DaemonClient;
  readonly runs: Runs;
  readonly nodes: () => Promise<readonly Node[]>;
  /** Somebody looks at it. */
  readonly want: () => void;
}

/** While it trains, this changes with every rollout. */
const EVERY = 10_000;

export class AskedView {
  readonly #options: Options;
  readonly #view: NodesView;
  readonly #listening: vscode.Disposable;
  readonly #timer: NodeJS.Timeout;
  #about = '';

  constructor(id: string, options: Options) {
    this.#options = options;
    this.#view = new NodesView(id);
    const { runs, want } = options;
    this.#timer = setInterval(() => liveRun(runs.known) !== undefined && this.refresh(), EVERY);
    this.#listening = vscode.Disposable.from(
      this.#view,
      this.#view.onShown(() => {
        want();
        this.refresh();
      }),
      runs.onChange(() => this.#follow()),
    );
    if (this.#view.isVisible) want();
    this.refresh();
  }

  refresh(): void {
    const { client, nodes } = this.#options;
    if (!this.#view.isVisible || client.state.kind !== 'connected') return;
    nodes().then(
      found => this.#view.show(found),
      (error: unknown) => this.#view.show([], error instanceof Error ? error.message : String(error)),
    );
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#listening.dispose();
  }

  #follow(): void {
    const { client, runs } = this.#options;
    const about = `${client.state.kind} ${liveRun(runs.known)?.run}`;
    if (about === this.#about) return;
    this.#about = about;
    this.refresh();
  }
}
