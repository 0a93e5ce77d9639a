// The recordings of a daemon: one at a time, owned by one client. Opens the desktop, stores the demonstration, and returns the desktop
// when its owner is gone.

import { refuseGuest } from '../collect/player.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { type Seed, seed, type TrajectoryId, taskId } from '../core/ids.ts';
import type { Random } from '../core/rng.ts';
import { stepLimit } from '../core/task.ts';
import type { TrajectoryStore } from '../data/store.ts';
import { SPLITS, type Suite } from '../environments/suite.ts';
import type { DaemonParams, DaemonResults } from '../protocol/daemon/messages.ts';
import type { RecordedTask, RecordSplit } from '../protocol/daemon/record.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { openSuite } from '../run/suite.ts';
import type { PersonDemonstration } from './demonstration.ts';
import { openRecordingDesktop } from './open-desktop.ts';
import { Recording } from './recording.ts';
import { RecordError } from './recording-board.ts';

export class NoSuchRecording extends Error {
  override readonly name = 'NoSuchRecording';
}

/** Identifies a client: its session. */
export type RecordingOwner = object;

/** The requests of clients. */
export type Recordings = Pick<PersonRecordings, 'tasks' | 'start' | 'now' | 'of' | 'ownerLeft'>;

export interface RecordingsOptions {
  readonly store: Pick<TrajectoryStore, 'ingest' | 'label'>;
  /** Adds a trajectory to the success pool and to the run that trains. */
  readonly accept: (id: TrajectoryId, who: string) => Promise<void>;
  /** The configuration of the workspace; of another kind of desktops if one is named. */
  readonly config: (kind?: DesktopKind) => Promise<Config>;
  /** A run trains on this machine. */
  readonly isGuest: () => boolean;
  readonly clock: Clock;
  readonly random: Random;
}

/** A page that reloads, and a panel that an editor hides for a moment, keep their recording. */
const GRACE_MS = 120_000;
/** A random training or test instance is one of so many. */
const MAX_TEST_INSTANCES = 100_000;

export class PersonRecordings {
  readonly #options: RecordingsOptions;
  #current: Recording | undefined;
  #owner: RecordingOwner | undefined;
  #grace = new AbortController();
  #isClosed = false;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  async tasks({ kind }: DaemonParams<'record.tasks'>): Promise<DaemonResults['record.tasks']> {
    const config = await this.#options.config(kind);
    const suite = await openSuite(config);
    return { kind: config.environments.kind, tasks: tasksOf(suite) };
  }

  /** Resolves once the desktop begins to start. */
  async start(
    { task: id, seed: asked, split, kind, instruction, who }: DaemonParams<'record.start'>,
    owner: RecordingOwner,
  ): Promise<DaemonResults['record.start']> {
    const { clock, random, isGuest } = this.#options;
    this.#requireFree();
    const config = await this.#options.config(kind);
    refuseGuest(config, isGuest());
    const suite = await openSuite(config);
    const number = chooseSeed(suite, { task: id, split, seed: asked }, random);
    const task = suite.task(id, number);
    // Other requests may have come in between.
    this.#requireFree();
    const recording = new Recording({
      ...{
        name: `record-${Math.trunc(clock.now()).toString(36)}`,
        kind: config.environments.kind,
        task,
        who,
      },
      ...{ instance: { task: taskId(id), seed: number }, split: task.dartboard?.split ?? 'train', clock },
      ...{ tier: suite.template(id).tier, maxSteps: stepLimit(task), mode: config.mode },
      ...(instruction !== undefined && { instruction }),
      open: signal => openRecordingDesktop({ config, clock, random }, signal),
      keep: demonstration => this.#keep(demonstration, who),
    });
    this.#current = recording;
    this.#owner = owner;
    return recording.state;
  }

  /** The recording in progress, whoever owns it. */
  now(): DaemonResults['record.now'] {
    const recording = this.#current;
    return recording?.isOpen === true ? { recording: recording.state } : {};
  }

  /** Throws for a recording that does not exist, or that another client owns. */
  of(name: string, owner: RecordingOwner): Recording {
    const recording = this.#current;
    if (recording?.state.recording !== name)
      throw new NoSuchRecording(
        `The recording '${name}' does not exist. 'record.now' returns the present one.`,
      );
    if (this.#owner !== undefined && this.#owner !== owner)
      throw new RecordError(
        `Another window owns the recording '${name}'. Continue there, or close that window and wait a moment.`,
      );
    this.#owner = owner;
    this.#grace.abort();
    return recording;
  }

  /** After the grace time the desktop is returned, unless a client has asked for the recording. */
  ownerLeft(owner: RecordingOwner): void {
    if (this.#owner !== owner) return;
    this.#owner = undefined;
    const recording = this.#current;
    if (recording?.isOpen !== true) return;
    this.#grace.abort();
    const grace = new AbortController();
    this.#grace = grace;
    this.#options.clock.sleep(GRACE_MS, grace.signal).then(
      () => (grace.signal.aborted ? undefined : recording.close()),
      // A client is back.
      () => undefined,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#grace.abort();
    await this.#current?.close();
  }

  #requireFree(): void {
    if (this.#isClosed)
      throw new RecordError(
        'The recording cannot start: the program is ending. Start it again, then record.',
      );
    const current = this.#current;
    if (current?.isOpen !== true) return;
    const { task, seed } = current.state;
    throw new RecordError(
      `A recording of '${task}' (seed ${seed}) is under way. Save or discard it, then start another one.`,
    );
  }

  async #keep({ trajectory, own }: PersonDemonstration, who: string): Promise<void> {
    const { store, accept } = this.#options;
    const { id } = trajectory;
    await store.ingest(trajectory);
    if (own !== undefined) {
      await store.label(id, { kind: 'instruction', text: own }, who);
      await store.label(id, { kind: 'verdict', success: true }, who);
    }
    await accept(id, who);
  }
}

const splitsOf = (suite: Suite, id: string): RecordSplit[] =>
  SPLITS.filter(split => suite.tasks(split).some(task => task === id));

/** The easiest first; within a tier, in the order of the suite. */
function tasksOf(suite: Suite): RecordedTask[] {
  return suite.templates
    .map(({ id, tier, apps }) => {
      const splits = splitsOf(suite, id);
      const example = suite.task(
        id,
        suite.seed(splits.includes('train') ? 'train' : 'unseen', 0),
      ).instruction;
      return { task: id, tier, splits, apps: [...apps], example };
    })
    .sort((one, other) => one.tier - other.tier);
}

function chooseSeed(
  suite: Suite,
  {
    task,
    split,
    seed: asked,
  }: { readonly task: string; readonly split: RecordSplit | undefined; readonly seed: number | undefined },
  random: Random,
): Seed {
  const splits = splitsOf(suite, task);
  if (splits.length === 0)
    throw new RangeError(`These desktops have no task '${task}'. 'record.tasks' returns all tasks.`);
  if (asked !== undefined) return seed(asked);
  const chosen = split ?? (splits.includes('train') ? 'train' : 'unseen');
  if (!splits.includes(chosen))
    throw new RangeError(
      `The task '${task}' has no instances of the split '${chosen}'. Use ${splits.join(' or ')}.`,
    );
  return suite.seed(chosen, random.int(chosen === 'train' ? suite.trainSeeds : MAX_TEST_INSTANCES));
}
