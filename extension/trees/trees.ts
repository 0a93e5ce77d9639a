// The container in the activity bar: runs, tasks and the success pool.

import * as vscode from 'vscode';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import type { State } from '../daemon/lifecycle.ts';
import type { Runs } from '../runs/runs.ts';
import { AskedView } from './asked.ts';
import { runNodes } from './runs-tree.ts';
import { poolNodes, taskNodes } from './tasks-tree.ts';
import { NodesView } from './view.ts';

interface Options {
  readonly client: DaemonClient;
  readonly runs: Runs;
  readonly commands: CommandTable;
  /** Then a look at them is worth a daemon. */
  readonly mayHaveRuns: () => boolean;
}

/** More are found in the panel. */
const MOST_MEMBERS = 500;

export interface Trees extends vscode.Disposable {
  /** Something was said of a trajectory: the success pool may be another. */
  annotated(): void;
}

export function activateTrees({ client, runs, commands, mayHaveRuns }: Options): Trees {
  const { t } = vscode.l10n;
  const view = new NodesView('dartboard.runs');
  const want = (): void => client.want(mayHaveRuns());
  const show = (): void => {
    view.show(runNodes(runs.known, t, when), noteOn(client.state));
  };
  /** What is shown is as of then. */
  const noteOn = (state: State): string | undefined => {
    if (state.kind === 'waiting' || state.kind === 'failed') return state.why;
    const isOld = state.kind === 'away' && runs.known.runs.length > 0;
    return isOld ? t('The daemon was stopped. It starts again when it is needed.') : undefined;
  };
  const tasks = new AskedView('dartboard.tasks', {
    ...{ client, runs, want },
    nodes: async () => taskNodes((await client.ask('tasks.list', {})).tasks, t),
  });
  const pool = new AskedView('dartboard.pool', {
    ...{ client, runs, want },
    nodes: async () =>
      poolNodes((await client.ask('pool.list', { offset: 0, limit: MOST_MEMBERS })).members, t),
  });
  const annotated = (): void => {
    tasks.refresh();
    pool.refresh();
  };
  commands.on(COMMANDS.refresh, async () => {
    await runs.refresh();
    annotated();
  });
  if (view.isVisible) want();
  const all = vscode.Disposable.from(...[view, tasks, pool], view.onShown(want), runs.onChange(show));
  return { annotated, dispose: () => all.dispose() };
}

const when = (moment: number): string =>
  new Date(moment).toLocaleString(vscode.env.language, {
    ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  });
