// `Dartboard: Collect Successes…`: at most three questions, then a collection of the daemon, with its progress.
// If a collection is already running, as after a reload of the window, the command shows its progress.

import * as vscode from 'vscode';
import { sentenceOf } from '../../runtime/core/errors.ts';
import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import type { FolderAgents } from '../agents/folder-agents.ts';
import { pickOne } from '../ask.ts';
import { COMMANDS } from '../commands.ts';
import { readConfigFile } from '../config-file.ts';
import type { FolderServices } from '../folder-services.ts';
import { userName } from '../user.ts';
import { followCollection } from './follow.ts';
import {
  byWeights,
  type CollectAnswers,
  type CollectQuestion,
  collectParams,
  collectQuestions,
  mustAsk,
  progressPercent,
  progressText,
  requireNoEvaluation,
  resultText,
} from './questions.ts';

interface Options extends FolderServices {
  readonly folder: string;
  readonly agents: FolderAgents;
}

export function activateCollect(options: Options): void {
  options.commands.on(COMMANDS.collect, target => collectSuccesses(options, target?.run));
}

/** `run`: the run on which the command was called; its weights act. */
async function collectSuccesses(options: Options, run: string | undefined): Promise<void> {
  const { client } = options;
  const { collecting } = await client.request('collect.now', {});
  requireNoEvaluation(collecting);
  const begun = collecting ?? (await startCollection(options, run));
  if (begun === undefined) return;
  const { collection } = begun;
  const progressOptions = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: 'Collecting successes',
  };
  const result = await vscode.window.withProgress(progressOptions, async (progress, cancellation) => {
    cancellation.onCancellationRequested(() =>
      client.request('collect.cancel', { collection }).catch((error: unknown) => {
        void vscode.window.showErrorMessage(`The collection was not cancelled: ${sentenceOf(error)}`);
      }),
    );
    let reported = 0;
    const seen = (state: CollectionState): void => {
      progress.report({ increment: progressPercent(state) - reported, message: progressText(state) });
      reported = progressPercent(state);
    };
    return followCollection(begun, { client, seen });
  });
  await vscode.commands.executeCommand(COMMANDS.refresh);
  const annotate = 'Annotate';
  // The command ends here, whether or not the user responds.
  void vscode.window
    .showInformationMessage(resultText(result), annotate)
    .then(choice => choice === annotate && vscode.commands.executeCommand(COMMANDS.annotate));
}

/** Undefined if the user pressed Escape. */
async function startCollection(
  { client, runs, folder, agents }: Options,
  run: string | undefined,
): Promise<CollectionState | undefined> {
  const config = await readConfigFile(folder);
  await runs.refresh();
  const answers = await ask(collectQuestions(agents.offeredIn(config), runs.list, run));
  if (answers === undefined) return undefined;
  const by = run === undefined ? {} : { by: byWeights(run) };
  const params = collectParams(config, { ...answers, ...by }, userName() ?? 'unknown');
  return client.request('collect.start', params);
}

async function ask(questions: readonly CollectQuestion[]): Promise<CollectAnswers | undefined> {
  let answers: CollectAnswers = {};
  for (const [index, question] of questions.entries()) {
    if (!mustAsk(question, answers)) continue;
    const choice = await pickOne(question.choices, {
      title: `Collect Successes (${index + 1} of ${questions.length})`,
      placeHolder: question.title,
    });
    if (choice === undefined) return undefined;
    answers = { ...answers, ...choice.answer };
  }
  return answers;
}
