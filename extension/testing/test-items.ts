// The items of the Testing view: loads the tasks from the daemon when the view opens, and again when dartboard.json or a task file
// changes.

import { join, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../runtime/core/errors.ts';
import { readConfigFile } from '../config-file.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { Reloader } from './reloader.ts';
import { loadSuites } from './suites.ts';
import { includedTests, type TestedTask, type TestNode, testNodes } from './tree.ts';

interface Options {
  readonly controller: vscode.TestController;
  readonly client: DaemonClient;
  readonly folder: string;
}

/** Has a folder of task files for each kind of desktops. */
const TASKS_FOLDER = '.dartboard/tasks';

export class TestItems implements vscode.Disposable {
  readonly #options: Options;
  readonly #reloader = new Reloader(() => this.#load());
  readonly #items = new Map<string, vscode.TestItem>();
  readonly #subscriptions: vscode.Disposable[] = [];
  /** Of `suite.files`, if it is elsewhere. */
  #taskFiles: { readonly folder: string; readonly watcher: vscode.Disposable } | undefined;
  #nodes: readonly TestNode[] = [];
  #isOpened = false;
  /** A file changed while there was no daemon, or the last load failed. */
  #isStale = false;

  constructor(options: Options) {
    this.#options = options;
    const { client, controller, folder } = options;
    controller.resolveHandler = async item => {
      if (item === undefined && !this.#isOpened) await this.reload();
    };
    controller.refreshHandler = () => this.reload();
    this.#subscriptions.push(
      this.#watch(new vscode.RelativePattern(folder, 'dartboard.json')),
      this.#watch(new vscode.RelativePattern(folder, `${TASKS_FOLDER}/**/*.json`)),
      client.listen({ stateChanged: () => this.#isStale && this.#changed() }),
    );
  }

  /** Starts a daemon if none runs. */
  async reload(): Promise<void> {
    this.#isOpened = true;
    await this.#reloader.reload();
  }

  async testsOf({ include, exclude = [] }: vscode.TestRunRequest): Promise<readonly TestedTask[]> {
    if (!this.#isOpened) await this.reload();
    const idsOf = (items: readonly vscode.TestItem[]): ReadonlySet<string> =>
      new Set(items.map(({ id }) => id));
    return includedTests(this.#nodes, include && idsOf(include), idsOf(exclude));
  }

  /** Undefined if the tests were loaded again without it. */
  item(id: string): vscode.TestItem | undefined {
    return this.#items.get(id);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#taskFiles?.watcher.dispose();
  }

  /** A change of a file starts no daemon. */
  #changed(): void {
    if (!this.#isOpened) return;
    this.#isStale = this.#options.client.state.kind !== 'connected';
    if (!this.#isStale) void this.#reloader.reload();
  }

  async #load(): Promise<void> {
    const { client, controller, folder } = this.#options;
    try {
      const { suites, files } = await loadSuites(client, await readConfigFile(folder));
      this.#watchTasks(files);
      this.#nodes = testNodes(suites);
    } catch (error) {
      // The next connection may cure it.
      this.#isStale = true;
      this.#nodes = [{ id: 'problem', label: 'Dartboard', problem: messageOf(error), children: [] }];
    }
    this.#items.clear();
    controller.items.replace(this.#nodes.map((node, index) => this.#itemOf(node, index)));
  }

  #itemOf(node: TestNode, index: number): vscode.TestItem {
    const { controller, folder } = this.#options;
    const { id, label, file, problem, children } = node;
    const uri = file === undefined ? undefined : vscode.Uri.file(resolve(folder, file));
    const item = controller.createTestItem(id, label, uri);
    if (problem !== undefined) item.error = problem;
    // In the order of the suite, not of the names.
    item.sortText = String(index).padStart(5, '0');
    item.children.replace(children.map((child, at) => this.#itemOf(child, at)));
    this.#items.set(id, item);
    return item;
  }

  #watchTasks(files: string | undefined): void {
    const { folder: workspace } = this.#options;
    const given = files === undefined ? undefined : resolve(workspace, files);
    const isWatched = given === undefined || `${given}${sep}`.startsWith(join(workspace, TASKS_FOLDER, sep));
    const folder = isWatched ? undefined : given;
    if (this.#taskFiles?.folder === folder) return;
    this.#taskFiles?.watcher.dispose();
    this.#taskFiles =
      folder === undefined
        ? undefined
        : { folder, watcher: this.#watch(new vscode.RelativePattern(vscode.Uri.file(folder), '**/*.json')) };
  }

  #watch(pattern: vscode.RelativePattern): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changed = (): void => this.#changed();
    return vscode.Disposable.from(
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    );
  }
}
