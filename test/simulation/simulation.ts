// Runs one seed: daemons live and die until the faults are over; then the run must make progress, end in order, and have lost nothing.

import { messageOf } from '../../runtime/core/errors.ts';
import { marked, parseMark, UNMARKED } from '../../runtime/data/files/marks.ts';
import { LEDGER, MARKS, placeOf } from '../../runtime/data/files/places.ts';
import { ZipReader } from '../../runtime/data/files/zip.ts';
import { CHECKPOINTS, RING_FILE } from '../../runtime/run/folders/run-folders.ts';
import { parseRingState } from '../../runtime/server/saved-run.ts';
import { decodeCheckpoint } from '../../runtime/trainer/checkpoint.ts';
import { Daemon, FOLDER, ROOT } from './daemon.ts';
import type { Plan } from './plan.ts';
import { ledgerIn, linesIn } from './trajectory-index.ts';
import { type Mutation, World } from './world.ts';

const RESTARTS_AFTER_MS = 1000;
/** After the last fault: a hang, the longest delay before a module is started again, and some updates. */
const PROGRESS_WITHIN_MS = 300_000;
const UPDATES_AFTER_FAULTS = 2;
/** Of daemons after the last fault. A fault may have effects a while later. */
const MOST_FAILURES = 3;
const ENDS_WITHIN_MS = 120_000;
const TICK_MS = 500;

export interface Simulated {
  readonly seed: number;
  readonly log: readonly string[];
  readonly broken: readonly string[];
  readonly trained: number;
  readonly acknowledged: number;
  readonly daemons: number;
}

export async function simulate(
  seed: number,
  changes: Partial<Plan> = {},
  mutation?: Mutation,
): Promise<Simulated> {
  const world = new World(seed, changes, mutation);
  const { witness, clock } = world;
  let daemons = 0;
  let failures = 0;
  let daemon: Daemon | undefined;
  let isStopping = false;
  let isOver = false;
  const live = async () => {
    while (!isOver) {
      const life = world.begin(`daemon ${++daemons}`, 'daemon');
      const died = new Promise<'died'>(resolve => life.onDeath(() => resolve('died')));
      try {
        checkDisk(world);
        const opened = Daemon.open(world, life).then(each => {
          daemon = each;
          return each.ended;
        });
        if ((await Promise.race([opened, died])) !== 'died') {
          if (!isStopping) witness.break('the run ended by itself');
          isOver = true;
        }
      } catch (error) {
        // A person resumes a run that has failed.
        witness.note(`the daemon failed: ${messageOf(error)}`);
        if (world.isCalm && ++failures > MOST_FAILURES)
          witness.break(`the run failed without a fault: ${messageOf(error)}`);
      }
      life.die();
      daemon = undefined;
      await clock.sleep(RESTARTS_AFTER_MS);
    }
  };
  void live();
  const until = async (isDone: () => boolean, milliseconds: number): Promise<boolean> => {
    const end = clock.now() + milliseconds;
    while (!isDone() && witness.broken.length === 0 && clock.now() < end) {
      await clock.run(clock.now() + TICK_MS);
    }
    return isDone();
  };
  await until(() => world.isCalm, Number.POSITIVE_INFINITY);
  const before = witness.trained;
  if (
    witness.broken.length === 0 &&
    !(await until(() => witness.trained >= before + UPDATES_AFTER_FAULTS, PROGRESS_WITHIN_MS))
  )
    witness.break(
      `no progress within ${PROGRESS_WITHIN_MS / 1000} s after the last fault: ${describe(daemon)}`,
    );
  isStopping = true;
  daemon?.lifecycle.stop();
  if (witness.broken.length === 0 && !(await until(() => isOver, ENDS_WITHIN_MS)))
    witness.break(`the run did not end within ${ENDS_WITHIN_MS / 1000} s`);
  isOver = true;
  checkDisk(world);
  return {
    ...{ seed, log: witness.log, broken: witness.broken, daemons },
    ...{ trained: witness.trained, acknowledged: witness.acknowledged.size },
  };
}

/** −1 for a damaged state. */
function submittedIn(ring: string): number {
  try {
    return parseRingState(ring).curator.books.submitted;
  } catch {
    return -1;
  }
}

/** For a run that does not go on. */
function describe(daemon: Daemon | undefined): string {
  const { data, waiting = [], problems = [] } = daemon?.lifecycle.state() ?? {};
  return JSON.stringify({ books: data?.books, queues: data?.queues, waiting, problems: problems.slice(-3) });
}

/** Law: nothing that was acknowledged is lost. */
function checkDisk({ disk, witness }: World): void {
  const deleted = new Set(ledgerIn(disk, ROOT).map(({ id }) => id));
  for (const { id, run } of witness.acknowledged.values()) {
    const path = `${ROOT}/${placeOf(id, run)}`;
    const content = disk.contentOf(path);
    if (content === undefined) {
      if (!deleted.has(id))
        witness.break(`the acknowledged trajectory ${id} is neither a file nor in ${LEDGER}`);
      if (witness.labelled.has(id)) witness.break(`the labelled trajectory ${id} was deleted`);
      continue;
    }
    try {
      new ZipReader(content);
    } catch (error) {
      witness.break(`the acknowledged trajectory ${id} is damaged: ${messageOf(error)}`);
    }
  }
  witness.readFiles(({ id, run }) => disk.contentOf(`${ROOT}/${placeOf(id, run)}`) !== undefined);
  const marks = new Map<string, string | undefined>();
  for (const mark of linesIn(disk, `${ROOT}/${MARKS}`, parseMark))
    marks.set(mark.trajectory, marked(UNMARKED, mark, mark.who).label);
  for (const [id, label] of witness.labelled)
    if (marks.get(id) !== label) witness.break(`${id} has lost the ${label}`);
  const checkpoints = disk.namesIn(`${FOLDER}/${CHECKPOINTS}`).flatMap(name => {
    const number = /^checkpoint-(\d+)\.safetensors$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  const newest = Math.max(-1, ...checkpoints);
  if (newest < witness.checkpoint)
    witness.break(`checkpoint ${witness.checkpoint} is lost; the newest is ${newest}`);
  for (const number of checkpoints) {
    const path = `${FOLDER}/${CHECKPOINTS}/checkpoint-${number}.safetensors`;
    try {
      decodeCheckpoint(disk.contentOf(path) ?? new Uint8Array(), path);
    } catch (error) {
      witness.break(`a checkpoint is damaged: ${messageOf(error)}`);
    }
  }
  const ring = disk.contentOf(`${FOLDER}/${RING_FILE}`)?.toString('utf8');
  const submitted = ring === undefined ? 0 : submittedIn(ring);
  if (submitted < witness.submitted)
    witness.break(
      `the saved state of the run is lost: it had ${witness.submitted} rollouts, not ${submitted}`,
    );
}
