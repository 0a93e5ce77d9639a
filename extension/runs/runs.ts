// Keeps the runs of the folder, their context keys, and the setting `dartboard.keepTraining` up to date.

import * as vscode from 'vscode';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { showFailure } from './failure-alert.ts';
import { contextKeys } from './run-list.ts';
import { RunStore } from './run-store.ts';
import type { TrainingSnapshot } from './training-snapshot.ts';

interface Options {
  readonly client: DaemonClient;
  readonly log: (message: string) => void;
  readonly mayHaveRuns: () => boolean;
  readonly storage: vscode.Memento;
  readonly subscriptions: vscode.Disposable[];
}

const SNAPSHOT_KEY = 'dartboard.left';
const KEEP_TRAINING = 'dartboard.keepTraining';

export function activateRuns({ client, log, mayHaveRuns, storage, subscriptions }: Options): RunStore {
  const runs = new RunStore({
    ...{ client, log, keepTraining, clock: systemClock },
    stayedStopped: (run, message, canResume) => void showFailure(run, message, canResume),
    storage: {
      get: () => storage.get<TrainingSnapshot>(SNAPSHOT_KEY),
      set: snapshot => void storage.update(SNAPSHOT_KEY, snapshot),
    },
  });
  const sent = new Map<string, boolean>();
  const updateContext = (): void => {
    const isComplete = runs.life !== undefined || !mayHaveRuns();
    for (const [key, value] of Object.entries(contextKeys(runs.list, isComplete))) {
      if (sent.get(key) === value) continue;
      sent.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  };
  subscriptions.push(
    runs,
    runs.onChange(updateContext),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && runs.catchUp()),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (!change.affectsConfiguration(KEEP_TRAINING) || client.state.kind !== 'connected') return;
      runs.keepTraining(keepTraining()).catch((error: unknown) => log(String(error)));
    }),
  );
  updateContext();
  return runs;
}

const keepTraining = (): boolean => vscode.workspace.getConfiguration().get<boolean>(KEEP_TRAINING, false);
