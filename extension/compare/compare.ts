// `Dartboard: Compare Runs…`: asks for runs, and saves the report that compares them as one HTML file.

import * as vscode from 'vscode';
import { reportName } from '../../runtime/protocol/report-name.ts';
import { pickSeveral } from '../ask.ts';
import type { CommandTable } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { saveFile } from '../panels/save-file.ts';
import { listedRuns } from '../runs/run-list.ts';
import type { RunStore } from '../runs/run-store.ts';
import { choicesOfRuns, problemOfChoice, type RunChoice } from './choices.ts';

interface Options {
  readonly client: DaemonClient;
  readonly runs: RunStore;
  readonly commands: CommandTable;
  readonly log: (message: string) => void;
}

export function activateCompare({ client, runs, commands, log }: Options): void {
  commands.on(COMMANDS.compareRuns, async target => {
    await runs.refresh();
    const chosen = await pickRuns(choicesOfRuns(listedRuns(runs.list), target?.run));
    if (chosen === undefined) return;
    const problem = problemOfChoice(chosen.length);
    if (problem !== undefined) throw new Error(problem);
    const names = chosen.map(({ run }) => run);
    const compared = client.request('run.compare', { runs: names });
    const progress = { location: vscode.ProgressLocation.Window, title: 'Comparing the runs' };
    const { html } = await vscode.window.withProgress(progress, () => compared);
    await saveFile({ name: reportName(names), text: html }, log);
  });
}

/** Undefined if the user pressed Escape. */
const pickRuns = (choices: readonly RunChoice[]): Thenable<readonly RunChoice[] | undefined> =>
  pickSeveral(choices, { title: 'Compare Runs', placeHolder: 'Which runs?' });
