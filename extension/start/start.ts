// `Dartboard: Start Training`: at most three questions, then a run of the daemon, shown in its panel.

import * as vscode from 'vscode';
import type { KindOffer } from '../../runtime/protocol/daemon/desktops.ts';
import type { FolderAgents } from '../agents/folder-agents.ts';
import { pickOne } from '../ask.ts';
import { COMMANDS } from '../commands.ts';
import { readConfigFile } from '../config-file.ts';
import type { DaemonClient } from '../daemon/client.ts';
import type { FolderServices } from '../folder-services.ts';
import { latestWeights, liveRun } from '../runs/run-list.ts';
import { startRun } from './cancellable-start.ts';
import {
  asksDesktopKind,
  configOf,
  mustAsk,
  type StartQuestion,
  startQuestions,
  startsTraining,
} from './questions.ts';
import type { StartAnswers, StartChoice } from './start-choice.ts';
import { lack } from './training-agents.ts';

interface Options extends FolderServices {
  readonly folder: string;
  readonly agents: FolderAgents;
  /** Stores the previous answers. */
  readonly storage: vscode.Memento;
  readonly openTraining: (run: string) => Promise<void>;
  /** Builds the image of Docker desktops in a terminal. */
  readonly buildImage: () => Promise<void>;
  /** Shows the entry of an agent in dartboard.json or in the user's settings. */
  readonly showAgent: (agent: string) => Promise<void>;
}

const ANSWERS_KEY = 'dartboard.answers';

export function activateStart(options: Options): void {
  options.commands.on(COMMANDS.start, () => startTraining(options));
}

async function startTraining({
  client,
  runs,
  folder,
  agents,
  storage,
  openTraining,
  buildImage,
  showAgent,
}: Options): Promise<void> {
  const config = await readConfigFile(folder);
  const previous = storage.get<StartAnswers>(ANSWERS_KEY, {});
  const kinds = asksDesktopKind(config) ? desktopKinds(client) : Promise.resolve([]);
  // Without a connection the list of runs is not known yet.
  const listed = runs.refresh().catch(() => undefined);
  const asked = await ask(
    (known = []) => startQuestions(agents.offeredIn(config), previous, known, latestWeights(runs.list)),
    Promise.all([kinds, listed]).then(([known]) => known),
  );
  if (asked === undefined) return;
  const { answers, instead } = asked;
  if (instead?.buildsImage === true) return await buildImage();
  if (instead?.explains !== undefined) {
    // The command ends here, whether or not the user responds.
    void vscode.window.showWarningMessage(instead.explains);
    return;
  }
  if (instead?.opensAgent !== undefined) {
    await showAgent(instead.opensAgent);
    // The command ends here, whether or not the user responds.
    void vscode.window.showInformationMessage(
      `The agent '${instead.opensAgent}' ${lack({ name: instead.opensAgent })}.`,
    );
    return;
  }
  await storage.update(ANSWERS_KEY, { ...previous, ...answers });
  const progress = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: 'Starting a training',
  };
  const { from } = answers;
  const params = { config: configOf(config, answers), ...(from !== undefined && { from }) };
  const run = await vscode.window.withProgress(progress, (_, cancellation) =>
    startRun(params, {
      client,
      liveRun: () => liveRun(runs.list)?.run,
      onCancel: listener => cancellation.onCancellationRequested(listener),
    }),
  );
  if (run !== undefined) await openTraining(run);
}

/** Empty if the daemon cannot list them: starting the training then reports the error. */
const desktopKinds = (client: DaemonClient): Promise<readonly KindOffer[]> =>
  client.request('desktops.kinds', {}).then(
    ({ kinds }) => kinds,
    () => [],
  );

interface Asked {
  readonly answers: StartAnswers;
  /** The choice that does something else than to start a training. */
  readonly instead?: StartChoice;
}

/** Undefined if the user pressed Escape. */
async function ask(
  questionsFor: (kinds?: readonly KindOffer[]) => readonly StartQuestion[],
  kinds: Promise<readonly KindOffer[]>,
): Promise<Asked | undefined> {
  const questions = questionsFor();
  let answers: StartAnswers = {};
  for (const [index, question] of questions.entries()) {
    if (!mustAsk(question, answers)) continue;
    // The quick pick opens at once and fills when the kinds are known.
    const choices = kinds.then(known => [...(questionsFor(known)[index]?.choices ?? [])]);
    const choice = await pickOne(choices, {
      title: `Start Training (${index + 1} of ${questions.length})`,
      placeHolder: question.title,
    });
    if (choice === undefined) return undefined;
    if (!startsTraining(choice)) return { answers, instead: choice };
    answers = { ...answers, ...choice.answer };
  }
  return { answers };
}
