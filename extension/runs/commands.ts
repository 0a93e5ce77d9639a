// What is done with a run: stop, pause, go on, delete. Each takes the run that it was called on, or finds the only one that can be meant,
// or asks.

import * as vscode from 'vscode';
import { MAX_RUN_MINUTES, proposedMinutes } from '../../runtime/protocol/daemon/state.ts';
import type { CommandTable, Target } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { span, statusWord } from '../words.ts';
import { allRuns, isLive, liveRun, type Run, resumable } from './known.ts';
import type { Runs } from './runs.ts';

interface Options {
  readonly client: DaemonClient;
  readonly runs: Runs;
  readonly commands: CommandTable;
  readonly open: (run: string) => Promise<void>;
}

export function activateRunCommands({ client, runs, commands, open }: Options): void {
  const { t } = vscode.l10n;

  const known = async (of: Target | undefined, which: (run: Run) => boolean, none: string, ask: string) => {
    await runs.refresh();
    const found = allRuns(runs.known).filter(run =>
      of?.run === undefined ? which(run) : run.run === of.run,
    );
    if (found.length === 0) throw new Error(none);
    return found.length === 1 ? found[0] : await pick(found, ask);
  };
  const live = (of: Target | undefined) =>
    known(of, ({ status }) => isLive(status), t('Nothing is training: start a training first.'), '');

  commands.on(COMMANDS.stop, async of => {
    const run = await live(of);
    if (run !== undefined)
      await withProgress(
        t('Stopping {0}, with a checkpoint', run.run),
        client.ask('run.stop', { run: run.run }),
      );
  });
  commands.on(COMMANDS.pause, async of => {
    const run = await live(of);
    if (run !== undefined) await client.ask('run.pause', { run: run.run });
  });
  commands.on(COMMANDS.resume, async of => {
    await runs.refresh();
    const paused = liveRun(runs.known);
    if (paused?.status === 'paused' && (of?.run ?? paused.run) === paused.run) {
      await client.ask('run.continue', { run: paused.run });
      return;
    }
    const names = resumable(runs.known).map(({ run }) => run);
    const none = t('No run can be gone on with: one that was stopped has a checkpoint.');
    const run = await known(of, each => names.includes(each.run), none, t('Which run goes on?'));
    if (run === undefined) return;
    const seconds = await timeFor(run);
    if (seconds === 'none') return;
    const asked = client.ask('run.resume', { run: run.run, ...(seconds !== undefined && { seconds }) });
    await withProgress(t('Going on with {0}', run.run), asked);
    await open(run.run);
  });
  commands.on(COMMANDS.delete, async of => {
    const none = t('There is no run that could be deleted; what trains is stopped first.');
    const run = await known(of, ({ status }) => !isLive(status), none, t('Which run is deleted?'));
    if (run === undefined) return;
    const really = t('Delete');
    const question = t("Delete the run '{0}' with everything that it left?", run.run);
    const detail = t('Its weights, checkpoints and curves are gone then.');
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, really)) !== really)
      return;
    await client.ask('run.delete', { run: run.run });
    await runs.refresh();
  });
}

async function pick(runs: readonly Run[], title: string): Promise<Run | undefined> {
  const items = runs.map(run => ({
    label: run.run,
    description: `${statusWord(run.status, vscode.l10n.t)}, ${span(run.seconds)}/${span(run.of)}`,
    run,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.run;
}

/** Seconds in all: undefined for as long as it was meant to; asked for where that has been trained. */
async function timeFor({ seconds, of }: Run): Promise<number | undefined | 'none'> {
  const { t } = vscode.l10n;
  if (seconds < of - 1) return undefined;
  const more = proposedMinutes(of);
  if (more === undefined) throw new Error(t('It has trained as long as a run can.'));
  const minutes = await vscode.window.showInputBox({
    title: t('It has trained all of its {0}. How many minutes in all?', span(of)),
    value: String(more),
    validateInput: text => {
      const minutes = Number(text);
      if (!(60 * minutes > seconds)) return t('More than the {0} that it has trained.', span(seconds));
      return minutes <= MAX_RUN_MINUTES ? undefined : t('At most {0}.', MAX_RUN_MINUTES);
    },
  });
  return minutes === undefined ? 'none' : 60 * Number(minutes);
}

const withProgress = <T>(title: string, doing: Promise<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => doing);
