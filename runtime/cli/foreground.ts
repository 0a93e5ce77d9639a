// A run in the sight of whoever started or resumed it: the daemon around it, the display, the summary in the end. What `train` and
// `resume` share.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { RunId } from '../core/ids.ts';
import { DAEMON_FILE } from '../protocol/daemon/daemon-file.ts';
import { proposedMinutes, type RunState } from '../protocol/daemon/state.ts';
import { WEIGHTS_FILE } from '../run/run-folder.ts';
import { CHECKPOINTS, RUN_FILE } from '../run/run-folders.ts';
import { type OpenRuns, openDaemon } from '../server/daemon.ts';
import type { Runs } from '../server/runs.ts';
import { follow } from './terminal/follow.ts';
import type { Output } from './terminal/output.ts';
import { isEarly, type Left, type Named, ringSummary } from './terminal/ring-report.ts';
import { RingWatch } from './terminal/ring-watch.ts';

/** Opens the runs of the workspace; is told what a user should know. */
export type Open = (notice: (text: string) => void) => Promise<OpenRuns>;

export interface Surroundings {
  readonly open: Open;
  /** The workspace. */
  readonly folder: string;
  /** Where its runs are, from there. */
  readonly root: string;
  /** Where the page's files are. */
  readonly pages: URL;
  readonly port: number;
  /** How this program is called in a terminal. */
  readonly program: string;
  readonly clock: Clock;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first Ctrl-C. */
  readonly stop: AbortSignal;
}

/** `choose` says what is wrong before anything is shown, or how to begin. Rejects where the run fails. */
export async function inSight(
  around: Surroundings,
  choose: (runs: Runs) => Promise<() => Promise<RunId>>,
): Promise<void> {
  const { open, folder, output, environment, clock, stop, ...page } = around;
  const early: string[] = [];
  let notice = (text: string): unknown => early.push(text);
  const daemon = await openDaemon({
    ...{ pages: page.pages, port: page.port, clock, keepTraining: true },
    say: text => output.write(`${text}\n`),
    open: () => open(text => notice(text)),
    file: join(folder, DAEMON_FILE),
  });
  let watch: RingWatch | undefined;
  // However it ends, the terminal has its cursor back.
  const end = () => watch?.end();
  const stopping = () => watch?.stopping();
  process.once('exit', end);
  try {
    const begin = await choose(daemon.runs);
    const shown = new RingWatch({ output, environment, clock, address: daemon.server.address });
    watch = shown;
    notice = text => shown.notice(text);
    stop.addEventListener('abort', stopping, { once: true });
    for (const text of early) notice(text);
    const last = await follow({ runs: daemon.runs, begin, show: state => shown.show(state), stop });
    end();
    const left = await whatIsLeft(around, last);
    shown.say(...ringSummary(last, left, shown.width));
    if (last.status === 'failed')
      throw new Error(`The run '${last.run}' failed: ${last.message ?? 'it does not say why'}`);
  } finally {
    end();
    process.off('exit', end);
    stop.removeEventListener('abort', stopping);
    await daemon.close();
  }
}

const FILES: readonly Named[] = [
  { name: WEIGHTS_FILE, what: 'the policy' },
  { name: CHECKPOINTS, what: 'what it takes to go on' },
  { name: 'curve.svg', what: 'success over time, as a picture' },
  { name: 'curve.csv', what: 'the same, as a table' },
  { name: 'metrics.csv', what: 'all that was counted, second by second' },
  { name: 'tensorboard', what: 'the same, for TensorBoard' },
  { name: RUN_FILE, what: 'its configuration, and how far it came' },
];

async function whatIsLeft({ folder, root, program }: Surroundings, state: RunState): Promise<Left> {
  const there = await Promise.all(
    FILES.map(
      async ({ name }) =>
        (await stat(join(folder, root, state.run, name)).catch(() => undefined)) !== undefined,
    ),
  );
  const files = FILES.filter((_, index) => there[index]);
  const has = (file: string): boolean => files.some(({ name }) => name === file);
  const known = { program, canResume: has(CHECKPOINTS), hasWeights: has(WEIGHTS_FILE) };
  return { folder: join(root, state.run), files, next: next(state, known) };
}

interface Known {
  readonly program: string;
  readonly canResume: boolean;
  readonly hasWeights: boolean;
}

function next(state: RunState, { program, canResume, hasWeights }: Known): readonly Named[] {
  const { run, of } = state;
  const more = proposedMinutes(of);
  const resume = isEarly(state)
    ? { name: `${program} resume ${run}`, what: 'go on where it stopped' }
    : more && { name: `${program} resume ${run} --minutes ${more}`, what: 'learn on, to so many in all' };
  return [
    ...(canResume && resume ? [resume] : []),
    ...(hasWeights
      ? [
          { name: `${program} run --weights ${run}`, what: 'watch it try a task' },
          { name: `${program} eval --weights ${run} --split unseen`, what: 'new kinds of tasks' },
        ]
      : []),
    { name: `${program} runs`, what: 'all runs of this folder' },
  ];
}
