// `Dartboard: Start Training`: at most two questions, then a run of the daemon, shown in its panel.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { KindOffer } from '../../runtime/protocol/daemon/desktops.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { liveRun } from '../runs/known.ts';
import type { Runs } from '../runs/runs.ts';
import { type Answers, asksKinds, configOf, isOpen, questions, type Said, saidIn } from './answers.ts';

interface Options {
  readonly client: DaemonClient;
  readonly runs: Runs;
  readonly folder: string;
  /** Keeps the answers of last time. */
  readonly memory: vscode.Memento;
  readonly open: (run: string) => Promise<void>;
  /** Builds the image of real desktops, in sight. */
  readonly build: () => Promise<void>;
}

const REMEMBERED = 'dartboard.answers';
const CONFIG_FILE = 'dartboard.json';

export async function startTraining(options: Options): Promise<void> {
  const { client, runs, folder, memory, open, build } = options;
  const said = await readConfig(folder);
  const last = memory.get<Answers>(REMEMBERED, {});
  const answers = await ask(said, last, asksKinds(said) ? kindsOf(client) : Promise.resolve([]));
  if (answers === undefined) return;
  if (answers === 'build') return await build();
  await memory.update(REMEMBERED, { ...last, ...answers });
  const starting = { location: vscode.ProgressLocation.Notification, cancellable: true };
  const title = vscode.l10n.t('Starting a training');
  const run = await vscode.window.withProgress({ ...starting, title }, async (_, cancel) => {
    const started = client.ask('run.start', { config: configOf(said, answers) });
    // It has its name before its modules are up.
    cancel.onCancellationRequested(async () => {
      const begun = liveRun(runs.known)?.run ?? (await started).run;
      await client.ask('run.stop', { run: begun });
    });
    return (await started).run;
  });
  await open(run);
}

/** Where the daemon cannot say it, starting a training says why. */
const kindsOf = (client: DaemonClient): Promise<readonly KindOffer[]> =>
  client.ask('desktops.kinds', {}).then(
    ({ kinds }) => kinds,
    () => [],
  );

/** Undefined where somebody pressed Escape. */
async function ask(
  said: Said,
  last: Answers,
  kinds: Promise<readonly KindOffer[]>,
): Promise<Answers | 'build' | undefined> {
  const { t } = vscode.l10n;
  const asked = questions(said, last, [], t);
  let answers: Answers = {};
  for (const [index, question] of asked.entries()) {
    if (!isOpen(question, answers)) continue;
    // It is open at once, and filled as soon as it is known what there is.
    const choices = kinds.then(known => [...(questions(said, last, known, t)[index]?.choices ?? [])]);
    const chosen = await vscode.window.showQuickPick(choices, {
      title: t('Start Training ({0} of {1})', index + 1, asked.length),
      placeHolder: question.title,
      ignoreFocusOut: true,
    });
    if (chosen === undefined) return undefined;
    if (chosen.builds === true) return 'build';
    answers = { ...answers, ...chosen.answer };
  }
  return answers;
}

/** What dartboard.json says in this folder. */
export async function readConfig(folder: string): Promise<Said> {
  try {
    return saidIn(await readFile(join(folder, CONFIG_FILE), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(vscode.l10n.t("'{0}' cannot be read: {1}", CONFIG_FILE, why), { cause: error });
  }
}
