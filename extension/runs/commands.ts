// Stop, pause, resume and delete: the run of the command's target, the only candidate, or the user's choice. Take over: the desktops of the
// run that trains.

import * as vscode from 'vscode';
import { isRunComplete, MAX_RUN_MINUTES, proposedMinutes } from '../../runtime/protocol/daemon/state.ts';
import { askText, pickOne } from '../ask.ts';
import type { CommandTarget } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import { DaemonRequestError } from '../daemon/requests.ts';
import type { FolderServices } from '../folder-services.ts';
import { duration, STATUS_LABELS } from '../format.ts';
import { isLive, type ListedRun, listedRuns, liveRun, resumableRuns } from './run-list.ts';

interface Options extends FolderServices {
  readonly openTraining: (run: string) => Promise<void>;
  readonly openDesktops: () => Promise<void>;
}

interface Candidates {
  readonly filter: (run: ListedRun) => boolean;
  /** The error if there is no candidate. */
  readonly none: string;
  /** The title of the question if there are several. */
  readonly title: string;
}

const LIVE: Candidates = {
  filter: ({ status }) => isLive(status),
  none: 'No run is training. Start a training first.',
  title: 'Choose a run',
};

export function activateRunCommands({ client, runs, commands, openTraining, openDesktops }: Options): void {
  /** Undefined if the user pressed Escape. */
  const choose = async (target: CommandTarget | undefined, { filter, none, title }: Candidates) => {
    await runs.refresh();
    const found = listedRuns(runs.list).filter(run =>
      target?.run === undefined ? filter(run) : run.run === target.run,
    );
    if (found.length === 0) throw new Error(none);
    return found.length === 1 ? found[0] : await pickRun(found, title);
  };

  commands.on(COMMANDS.stop, async target => {
    const run = (await choose(target, LIVE))?.run;
    if (run === undefined) return;
    await withProgress(`Stopping ${run} with a checkpoint`, client.request('run.stop', { run }));
  });

  commands.on(COMMANDS.pause, async target => {
    const run = (await choose(target, LIVE))?.run;
    if (run !== undefined) await client.request('run.pause', { run });
  });

  commands.on(COMMANDS.resume, async target => {
    await runs.refresh();
    const live = liveRun(runs.list);
    if (live?.status === 'paused' && (target?.run ?? live.run) === live.run) {
      await client.request('run.continue', { run: live.run });
      return;
    }
    const resumable = new Set(resumableRuns(runs.list).map(({ run }) => run));
    const chosen = await choose(target, {
      filter: ({ run }) => resumable.has(run),
      none: 'No run can resume. Only a run with a checkpoint can: stop a training to get one.',
      title: 'Choose the run to resume',
    });
    if (chosen === undefined) return;
    const limit = await timeLimit(chosen);
    if (limit === undefined) return;
    const { run } = chosen;
    await withProgress(`Resuming ${run}`, client.request('run.resume', { run, ...limit }));
    await openTraining(run);
  });

  commands.on(COMMANDS.takeOver, async () => {
    await runs.refresh();
    if (liveRun(runs.list) === undefined)
      throw new Error(
        'No run is training, so there is no desktop to take over. Start a training, or record a demonstration.',
      );
    await openDesktops();
  });

  commands.on(COMMANDS.delete, async target => {
    const chosen = await choose(target, {
      filter: ({ status }) => !isLive(status),
      none: 'No run can be deleted. Stop a live run before you delete it.',
      title: 'Choose the run to delete',
    });
    if (chosen === undefined) return;
    const { run } = chosen;
    const files = 'This deletes its weights, checkpoints, curves and trajectories.';
    if (!(await confirmed(`Delete the run '${run}'?`, files, 'Delete'))) return;
    try {
      await client.request('run.delete', { run });
    } catch (error) {
      if (!(error instanceof DaemonRequestError && error.code === 'in_pool')) throw error;
      const question = `The success pool contains trajectories of the run '${run}'. Delete them too?`;
      if (!(await confirmed(question, 'Other runs learn from them.', 'Delete Them Too'))) return;
      await client.request('run.delete', { run, withPool: true });
    }
    // The views Tasks and Success Pool had its trajectories.
    await vscode.commands.executeCommand(COMMANDS.refresh);
  });
}

async function confirmed(question: string, detail: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

async function pickRun(runs: readonly ListedRun[], title: string): Promise<ListedRun | undefined> {
  const items = runs.map(run => ({
    label: run.run,
    description: `${STATUS_LABELS[run.status]}, ${duration(run.seconds)}/${duration(run.of)}`,
    run,
  }));
  return (await pickOne(items, { title }))?.run;
}

/** Asks for a new time limit if the run has used up its own. Undefined if the user pressed Escape. */
async function timeLimit(chosen: ListedRun): Promise<{ seconds?: number } | undefined> {
  if (!isRunComplete(chosen)) return {};
  const { run, seconds, of } = chosen;
  const proposal = proposedMinutes(of);
  if (proposal === undefined)
    throw new Error(
      `The run '${run}' has reached the limit of ${MAX_RUN_MINUTES} minutes. Start a new training.`,
    );
  const minutes = await askText({
    title: `The run has trained for ${duration(of)}, its limit. New limit in minutes?`,
    value: String(proposal),
    validateInput: text => {
      const value = Number(text);
      if (!(60 * value > seconds))
        return `Enter more than the ${duration(seconds)} that the run has trained.`;
      return value <= MAX_RUN_MINUTES ? undefined : `Enter at most ${MAX_RUN_MINUTES} minutes.`;
    },
  });
  return minutes === undefined ? undefined : { seconds: 60 * Number(minutes) };
}

const withProgress = <T>(title: string, task: Promise<T>): Thenable<T> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => task);
