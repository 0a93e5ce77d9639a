// The views of the activity bar: Runs, Tasks and Success Pool.

import * as vscode from 'vscode';
import { COMMANDS } from '../commands.ts';
import type { ClientState } from '../daemon/lifecycle.ts';
import type { FolderServices } from '../folder-services.ts';
import type { RunStore } from '../runs/run-store.ts';
import { DaemonTree } from './daemon-tree.ts';
import { runNodes } from './runs-tree.ts';
import { poolMessage, poolNodes, taskNodes } from './tasks-tree.ts';
import { TreeNodesView } from './view.ts';

interface Options extends FolderServices {
  /** A visible tree starts a daemon only if the folder may have runs. */
  readonly mayHaveRuns: () => boolean;
}

/** The panel Trajectories lists all of them. */
const MAX_MEMBERS = 500;

export interface Trees extends vscode.Disposable {
  /** Reloads tasks and success pool after an annotation. */
  refresh(): void;
}

export function activateTrees({ client, runs, commands, mayHaveRuns }: Options): Trees {
  const view = new TreeNodesView('dartboard.runs');
  const connect = (): void => client.connect(mayHaveRuns());
  const tasks = new DaemonTree('dartboard.tasks', {
    ...{ client, runs, onVisible: connect },
    load: async () => ({ nodes: taskNodes((await client.request('tasks.list', {})).tasks) }),
  });
  const pool = new DaemonTree('dartboard.pool', {
    ...{ client, runs, onVisible: connect },
    load: async () => {
      const listed = await client.request('pool.list', { offset: 0, limit: MAX_MEMBERS });
      const message = poolMessage(listed);
      const { tasks } = message === undefined ? { tasks: [] } : await client.request('tasks.list', {});
      return { nodes: poolNodes(listed.members, tasks), message };
    },
  });
  const refresh = (): void => {
    tasks.refresh();
    pool.refresh();
  };
  commands.on(COMMANDS.refresh, async () => {
    await runs.refresh();
    refresh();
  });
  if (view.isVisible) connect();
  const disposables = vscode.Disposable.from(
    ...[view, tasks, pool, view.onVisible(connect)],
    runs.onChange(() => view.show(runNodes(runs.list, formatTime), messageOf(client.state, runs))),
  );
  return { refresh, dispose: () => disposables.dispose() };
}

function messageOf(state: ClientState, { list }: RunStore): string | undefined {
  if (state.kind === 'backoff' || state.kind === 'failed') return state.reason;
  return state.kind === 'idle' && list.summaries.length > 0
    ? 'The Dartboard daemon stopped. Any command that needs it starts it again.'
    : undefined;
}

const formatTime = (time: number): string =>
  new Date(time).toLocaleString(vscode.env.language, {
    ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  });
