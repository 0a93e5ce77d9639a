// Trains in the foreground: the daemon, the display, and the summary at the end. `train` and `resume` share it.

import { join } from 'node:path';
import { type Config, resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import { configOfKind, withoutUnchosenGuests } from '../config/kind-config.ts';
import { exists } from '../core/existing-file.ts';
import type { RunId } from '../core/ids.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { isRunComplete, proposedMinutes, type RunState } from '../protocol/daemon/state.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { WEIGHTS_FILE } from '../run/folders/run-folder.ts';
import { CHECKPOINTS, RUN_FILE } from '../run/folders/run-folders.ts';
import { type OpenRuns, openDaemon } from '../server/daemon.ts';
import type { Runs } from '../server/runs.ts';
import { WorkspaceRuns } from '../server/workspace-runs.ts';
import type { CliContext } from './context.ts';
import { followRun } from './terminal/follow.ts';
import { joinHint } from './terminal/output.ts';
import { RunDisplay } from './terminal/run-display.ts';
import { type LabelledName, type RunOutput, runSummary } from './terminal/run-report.ts';
import { clientsFinished } from './work-of-clients.ts';

/** Opens the runs of the workspace. `notice` gets what a user should know. */
export type OpenRunsOf = (notice: (text: string) => void) => Promise<OpenRuns>;

/** A context with the runs of its workspace. */
export type RunsContext = Omit<CliContext, 'entries'> & { readonly open: OpenRunsOf };

export const openRuns =
  ({ root, folder, entries, environment, clock }: CliContext): OpenRunsOf =>
  notice =>
    WorkspaceRuns.open({
      ...{ root, entries, environment, clock, notice },
      agents: async () => (await configOfFolder(folder, undefined, environment)).agents,
      config: kind => configOfFolder(folder, kind, environment),
      settings: () => readConfig(join(folder, CONFIG_FILE), environment),
    });

/** Of this kind of desktops, which the file need not choose. */
export async function configOfFolder(
  folder: string,
  kind?: DesktopKind,
  environment: CliContext['environment'] = process.env,
): Promise<Config> {
  const settings = await readConfig(join(folder, CONFIG_FILE), environment);
  return kind === undefined ? resolve(withoutUnchosenGuests(settings)).config : configOfKind(settings, kind);
}

/** `choose` rejects what cannot be trained before anything is shown, or returns how to begin. Rejects where the run fails. */
export async function trainInForeground(
  context: RunsContext,
  port: number,
  choose: (runs: Runs) => Promise<() => Promise<RunId>>,
): Promise<void> {
  const { open, folder, output, environment, clock, pages, program } = context;
  const stop = context.stopSignal();
  const early = new Set<string>();
  let notice = (text: string): unknown => early.add(text);
  // A notice can name the reason: a run with a damaged run.json is not in the list.
  const withNotices = (error: unknown): never => {
    for (const text of early) context.printError(text);
    throw error;
  };
  const daemon = await openDaemon({
    ...{ pages, port, folder, environment, clock, keepTraining: 'always' },
    say: text => output.write(`${text}\n`),
    open: () => open(text => notice(text)),
    file: join(folder, DAEMON_FILE),
  }).catch(withNotices);
  let watch: RunDisplay | undefined;
  const stopping = () => watch?.stopping();
  try {
    const begin = await choose(daemon.runs).catch(withNotices);
    // Opening a folder can take a minute. A run that began now would stop at once.
    if (stop.aborted) return;
    const display = new RunDisplay({ output, environment, clock, address: daemon.server.address });
    watch = display;
    notice = text => display.notice(text);
    stop.addEventListener('abort', stopping, { once: true });
    for (const text of early) notice(text);
    const last = await followRun({
      runs: daemon.runs,
      start: async () => {
        const run = await begin();
        const { hosts } = daemon.runs;
        if (daemon.runs.state(run)?.hosts !== undefined)
          display.notice(joinHint(output, program, hosts.address(run).address));
        return run;
      },
      show: state => display.show(state),
      stop,
    });
    display.end();
    stop.removeEventListener('abort', stopping);
    display.say(...runSummary(last, await filesAndNextSteps(context, last), display.width));
    // After the Ctrl-C that stopped the run, a second one ends the process.
    const untilStop = stop.aborted ? new AbortController().signal : stop;
    await clientsFinished(daemon.runs, untilStop, clock, text => display.say(text));
    if (last.status === 'failed')
      throw new Error(`Run '${last.run}' failed: ${last.message ?? 'no reason given'}`);
  } finally {
    watch?.end();
    stop.removeEventListener('abort', stopping);
    await daemon.close();
  }
}

const FILES: readonly LabelledName[] = [
  { name: WEIGHTS_FILE, what: 'the policy' },
  { name: CHECKPOINTS, what: "for 'dartboard resume'" },
  { name: 'curve.svg', what: 'success over time, as a picture' },
  { name: 'curve.csv', what: 'success over time, as a table' },
  { name: 'metrics.csv', what: 'all metrics over time' },
  { name: 'tensorboard', what: 'all metrics, for TensorBoard' },
  { name: RUN_FILE, what: 'configuration and status' },
];

async function filesAndNextSteps(
  { folder, root, program }: RunsContext,
  state: RunState,
): Promise<RunOutput> {
  const existing = await Promise.all(FILES.map(({ name }) => exists(join(folder, root, state.run, name))));
  const files = FILES.filter((_, index) => existing[index]);
  const has = (file: string): boolean => files.some(({ name }) => name === file);
  const nextCommands = nextSteps(state, program, has(CHECKPOINTS), has(WEIGHTS_FILE));
  return { folder: join(root, state.run), files, nextCommands };
}

function nextSteps(
  state: RunState,
  program: string,
  canResume: boolean,
  hasWeights: boolean,
): readonly LabelledName[] {
  const { run, of } = state;
  const more = proposedMinutes(of);
  const resume = !isRunComplete(state)
    ? { name: `${program} resume ${run}`, what: 'continue where it stopped' }
    : more && {
        name: `${program} resume ${run} --minutes ${more}`,
        what: `train on, to ${more} minutes in all`,
      };
  return [
    ...(canResume && resume ? [resume] : []),
    ...(hasWeights
      ? [
          { name: `${program} run --weights ${run}`, what: 'watch it try a task' },
          { name: `${program} eval --weights ${run} --split unseen`, what: 'evaluate on new kinds of tasks' },
        ]
      : []),
    { name: `${program} runs`, what: 'list all runs of this folder' },
  ];
}
