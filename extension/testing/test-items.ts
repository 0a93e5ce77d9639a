// The items of the Testing view: loads the tasks from the daemon when the view opens, and again when dartboard.json or a task file
// changes.

import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { type Clock, sleepUnlessAborted } from '../../runtime/core/clock.ts';
import { messageOf } from '../../runtime/core/errors.ts';
import { readConfigFile } from '../config-file.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { Reloader } from './reloader.ts';
import { loadSuites } from './suites.ts';
import { fileVersions } from './task-files.ts';
import { includedTests, type TestedTask, type TestNode, testNodes } from './tree.ts';

interface Options {
  readonly controller: vscode.TestController;
  readonly client: DaemonClient;
  readonly folder: string;
  readonly clock: Clock;
}

const COMPARE_INTERVAL_MS = 2000;
/** Has a folder of task files for each kind of desktops. */
const TASKS_FOLDER = '.dartboard/tasks';

export class TestItems implements vscode.Disposable {
  readonly #options: Options;
  readonly #reloader = new Reloader(() => this.#load());
  readonly #items = new Map<string, vscode.TestItem>();
  readonly #closing = new AbortController();
  readonly #subscription: vscode.Disposable;
  /** `suite.files` of dartboard.json. */
  #userFiles: string | undefined;
  #nodes: readonly TestNode[] = [];
  #isOpened = false;
  /** The versions of the files before the last load. Undefined if the tests must be loaded, or loaded again. */
  #loadedVersions: string | undefined;
  #hasFailed = false;

  constructor(options: Options) {
    this.#options = options;
    const { client, controller } = options;
    controller.resolveHandler = async item => {
      if (item === undefined && !this.#isOpened) await this.reload();
    };
    controller.refreshHandler = () => this.reload();
    this.#subscription = client.listen({ stateChanged: () => this.#reloadIfFailed() });
  }

  /** Starts a daemon if none runs. */
  async reload(): Promise<void> {
    if (!this.#isOpened) void this.#reloadAfterChanges();
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
    this.#closing.abort();
    this.#subscription.dispose();
  }

  /** The next connection may cure a failure. */
  #reloadIfFailed(): void {
    if (this.#hasFailed) this.#loadedVersions = undefined;
  }

  /** A change of a file starts no daemon. */
  async #reloadAfterChanges(): Promise<void> {
    const { client, clock } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await sleepUnlessAborted(clock, COMPARE_INTERVAL_MS, signal);
      if (signal.aborted || client.state.kind !== 'connected') continue;
      if ((await this.#versions()) !== this.#loadedVersions) await this.#reloader.reload();
    }
  }

  async #versions(): Promise<string> {
    const paths = [
      'dartboard.json',
      TASKS_FOLDER,
      ...(this.#userFiles === undefined ? [] : [this.#userFiles]),
    ];
    return await fileVersions(paths.map(path => resolve(this.#options.folder, path)));
  }

  async #load(): Promise<void> {
    const { client, controller, folder } = this.#options;
    try {
      this.#loadedVersions = await this.#versions();
      const { suites, files } = await loadSuites(client, await readConfigFile(folder));
      this.#userFiles = files;
      this.#nodes = testNodes(suites);
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
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
}
