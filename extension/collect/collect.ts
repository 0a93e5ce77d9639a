// `Dartboard: Collect Successes`: at most two questions, then a collection of the daemon, with its progress. Where one is under way, as after
// a reload of the window, its progress is shown again.

import * as vscode from 'vscode';
import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import { COMMANDS } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import type { Runs } from '../runs/runs.ts';
import { readConfig } from '../start/start.ts';
import { user } from '../user.ts';
import {
  type Answers,
  byWeights,
  endOf,
  progressOf,
  type Question,
  questions,
  requestOf,
  shareOf,
} from './questions.ts';

interface Options {
  readonly client: DaemonClient;
  readonly runs: Runs;
  readonly folder: string;
  /** Whose weights play, where the command was called on a run. */
  readonly run?: string | undefined;
}

export async function collectSuccesses(options: Options): Promise<void> {
  const { t } = vscode.l10n;
  const { client } = options;
  const { collecting } = await client.ask('collect.now', {});
  const begun = collecting ?? (await begin(options));
  if (begun === undefined) return;
  const shown = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: t('Collecting successes'),
  };
  const came = await vscode.window.withProgress(shown, async (progress, cancel) => {
    cancel.onCancellationRequested(() => client.ask('collect.cancel', { collection: begun.collection }));
    return follow(client, begun, (increment, message) => progress.report({ increment, message }));
  });
  await vscode.commands.executeCommand(COMMANDS.refresh);
  const annotate = t('Annotate');
  // The command is over when it has said this, whether or not somebody answers.
  void vscode.window
    .showInformationMessage(endOf(came, t), annotate)
    .then(chosen => chosen === annotate && vscode.commands.executeCommand(COMMANDS.annotate));
}

/** Undefined where somebody pressed Escape. */
async function begin({ client, runs, folder, run }: Options): Promise<CollectionState | undefined> {
  const said = await readConfig(folder);
  await runs.refresh();
  const answers = await ask(questions(said, runs.known, vscode.l10n.t, run));
  if (answers === undefined) return undefined;
  const by = run === undefined ? {} : { by: byWeights(run) };
  return client.ask('collect.start', requestOf(said, { ...answers, ...by }, user() ?? 'somebody'));
}

async function ask(all: readonly Question[]): Promise<Answers | undefined> {
  let answers: Answers = {};
  for (const [index, { title, choices }] of all.entries()) {
    const chosen = await vscode.window.showQuickPick([...choices], {
      title: vscode.l10n.t('Collect Successes ({0} of {1})', index + 1, all.length),
      placeHolder: title,
      ignoreFocusOut: true,
    });
    if (chosen === undefined) return undefined;
    answers = { ...answers, ...chosen.answer };
  }
  return answers;
}

/** Resolves with how it ended. */
async function follow(
  client: DaemonClient,
  begun: CollectionState,
  tell: (increment: number, message: string) => void,
): Promise<CollectionState> {
  let [state, shown] = [begun, 0];
  for (;;) {
    tell(shareOf(state) - shown, progressOf(state, vscode.l10n.t));
    shown = shareOf(state);
    if (state.status !== 'playing') return state;
    state = await client.ask('collect.follow', { collection: state.collection, after: state.change });
  }
}
