// The recordings of a daemon: one at a time, owned by one client. Opens the desktop, stores the demonstration, and returns the desktop
// when its owner is gone.

import { refuseGuest } from '../collect/player.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { DesktopId, TrajectoryId } from '../core/ids.ts';
import type { Random } from '../core/rng.ts';
import { type Instance, stepLimit } from '../core/task.ts';
import type { TrajectoryStore } from '../data/store.ts';
import type { Suite } from '../environments/suite.ts';
import type { DaemonParams, DaemonResults } from '../protocol/daemon/messages.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { openSuite } from '../run/suite.ts';
import type { PersonDemonstration } from './demonstration.ts';
import { openRecordingDesktop } from './open-desktop.ts';
import { RecordError } from './record-error.ts';
import { chooseInstance, instanceToRun, tasksOf } from './recorded-tasks.ts';
import { Recording } from './recording.ts';
import type { RecordingAgents } from './recording-agents.ts';
import type { RecordingOptions } from './recording-options.ts';
import { type LendingRun, takeOver } from './take-over.ts';

export class NoSuchRecording extends Error {
  override readonly name = 'NoSuchRecording';
}

/** Identifies a client: its session. */
export type RecordingOwner = object;

/** The requests of clients. */
export type Recordings = Pick<
  PersonRecordings,
  'tasks' | 'start' | 'run' | 'takeOver' | 'now' | 'of' | 'leave' | 'ownerLeft'
>;

export interface RecordingsOptions {
  readonly store: Pick<TrajectoryStore, 'ingest' | 'label'>;
  /** Adds a trajectory to the success pool and to the run that trains. */
  readonly accept: (id: TrajectoryId, who: string) => Promise<void>;
  /** The configuration of the workspace; of another kind of desktops if one is named. */
  readonly config: (kind?: DesktopKind) => Promise<Config>;
  /** The run that trains, whose desktops people can take over; none by default. */
  readonly training?: () => LendingRun | undefined;
  /** The agents of the workspace; none by default. */
  readonly agents?: RecordingAgents;
  /** A run trains on this machine. */
  readonly isGuest: () => boolean;
  readonly clock: Clock;
  readonly random: Random;
}

interface OpenedSuite {
  readonly config: Config;
  readonly suite: Suite;
}

type NewRecording = Omit<RecordingOptions, 'name' | 'clock' | 'keep'>;

/** A page that reloads, and a panel that an editor hides for a moment, keep their recording. */
const GRACE_MS = 120_000;
/** The same for a desktop that was taken over: the training misses it. */
const BORROWED_GRACE_MS = 60_000;

const NOTHING = (): void => undefined;

export class PersonRecordings {
  readonly #options: RecordingsOptions;
  #current: Recording | undefined;
  #owner: RecordingOwner | undefined;
  #grace = new AbortController();
  /** Clients that have disconnected, perhaps before their desktop was there. */
  readonly #left = new WeakSet<RecordingOwner>();
  /** Desktops that people have taken over so far. */
  #takenOver = 0;
  /** A client has closed the page of this recording, before the owner was seen to leave. */
  #closedPage: string | undefined;
  /** Tells the run that trains that its desktop is in use. */
  #keepDesktop = NOTHING;
  #isClosed = false;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  async tasks({ kind }: DaemonParams<'record.tasks'>): Promise<DaemonResults['record.tasks']> {
    const config = await this.#options.config(kind);
    const suite = await openSuite(config);
    const agents = this.#options.agents?.names(config) ?? [];
    return { kind: config.environments.kind, tasks: tasksOf(suite), agents: [...agents] };
  }

  /** Resolves once the desktop begins to start. */
  async start(
    { kind, instruction, who, ...asked }: DaemonParams<'record.start'>,
    owner: RecordingOwner,
  ): Promise<DaemonResults['record.start']> {
    const { config, suite } = await this.#workspace(kind);
    const instance = chooseInstance(suite, asked, this.#options.random);
    const own = instruction === undefined ? {} : { instruction };
    return this.#begin({ ...this.#about(config, suite, instance, who), ...own }, owner);
  }

  /** The same with an agent that acts. */
  async run(
    { agent, from, mode, kind, instruction, who, ...asked }: DaemonParams<'record.run'>,
    owner: RecordingOwner,
  ): Promise<DaemonResults['record.run']> {
    const { agents, random } = this.#options;
    const { config, suite } = await this.#workspace(kind);
    const names = agents?.names(config) ?? [];
    if (agents === undefined || !names.includes(agent))
      throw new RecordError(`No agent '${agent}' can act here. Choose ${names.join(' or ')}.`);
    const instance = instanceToRun(
      suite,
      { ...asked, ...(instruction !== undefined && { instruction }) },
      random,
    );
    // The screen of its desktop is that of this agent, which need not be the one of the file.
    const about = this.#about({ ...config, agent }, suite, instance, who);
    // The evaluator judges the task's own instruction.
    const isOwn = instruction !== undefined && instruction !== about.task.instruction;
    const asAsked = { agent, ...(from !== undefined && { from }) };
    return this.#begin(
      {
        ...about,
        ...(isOwn && { instruction }),
        pilot: { ...asAsked, mode, open: signal => agents.open(asAsked, config, signal) },
      },
      owner,
    );
  }

  /** Resolves once the desktop has left its episode. */
  async takeOver(
    { desktop, who }: { readonly desktop: DesktopId; readonly who: string },
    owner: RecordingOwner,
  ): Promise<DaemonResults['record.takeOver']> {
    const { clock, training } = this.#options;
    this.#requireFree();
    const run = training?.();
    if (run === undefined)
      throw new RecordError(
        `Desktop ${desktop} cannot be taken over: no run trains. Start or resume a run, or record a demonstration.`,
      );
    refuseOffline(run.config);
    this.#takenOver += 1;
    const loan = `${desktop}.${this.#takenOver}`;
    const taken = await takeOver(run, { loan, desktop, who, clock });
    try {
      const state = this.#begin({ ...taken.recording, desktop, who }, owner, taken.keep);
      // In an editor another page shows the recording: the first client that asks for it owns it.
      this.#release();
      return state;
    } catch (error) {
      await taken.close();
      throw error;
    }
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
    this.#closedPage = undefined;
    this.#grace.abort();
    if (recording.isOpen) this.#keepDesktop();
    return recording;
  }

  /** The page of the recording is closed. A desktop that was taken over returns, unless another client owns it. */
  async leave(name: string, client: RecordingOwner): Promise<void> {
    const recording = this.#current;
    if (recording?.state.recording !== name || recording.state.desktop === undefined) return;
    // The desktop returns when the demonstration is saved.
    if (recording.state.phase === 'checking') return;
    if (this.#owner === undefined || this.#owner === client) await recording.close();
    // The owner may be the connection of that page, which is about to end.
    else this.#closedPage = name;
  }

  /** After the grace time, and a save in progress, the desktop is returned, unless a client has asked for the recording. */
  ownerLeft(owner: RecordingOwner): void {
    this.#left.add(owner);
    if (this.#owner === owner) this.#release();
  }

  #release(): void {
    this.#owner = undefined;
    const recording = this.#current;
    if (recording?.isOpen !== true) return;
    recording.pause();
    this.#grace.abort();
    const grace = new AbortController();
    this.#grace = grace;
    const { recording: name, desktop } = recording.state;
    const graceMs = this.#closedPage === name ? 0 : desktop === undefined ? GRACE_MS : BORROWED_GRACE_MS;
    this.#options.clock.sleep(graceMs, grace.signal).then(
      async () => {
        await recording.saveEnded();
        // Otherwise a client is back.
        if (!grace.signal.aborted) await recording.close();
      },
      // A client is back.
      () => undefined,
    );
  }

  /** Waits for a save in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#grace.abort();
    await this.#current?.saveEnded();
    await this.#current?.close();
  }

  async #workspace(kind: DesktopKind | undefined): Promise<OpenedSuite> {
    this.#requireFree();
    const config = await this.#options.config(kind);
    refuseGuest(config, this.#options.isGuest());
    refuseOffline(config);
    return { config, suite: await openSuite(config) };
  }

  /** A recording on a desktop of its own. */
  #about(config: Config, suite: Suite, instance: Instance, who: string): NewRecording {
    const { clock, random } = this.#options;
    const task = suite.task(instance.task, instance.seed);
    return {
      ...{ kind: config.environments.kind, task, instance, split: task.dartboard?.split ?? 'train', who },
      ...{ tier: suite.template(instance.task).tier, maxSteps: stepLimit(task), mode: config.mode },
      open: signal => openRecordingDesktop({ config, task: instance.task, clock, random }, signal),
    };
  }

  #begin(options: NewRecording, owner: RecordingOwner, keepDesktop = NOTHING): Recording['state'] {
    const { clock } = this.#options;
    // Other requests may have come in between.
    this.#requireFree();
    const stored = new Set<TrajectoryId>();
    const recording = new Recording({
      ...options,
      ...{ name: `record-${Math.trunc(clock.now()).toString(36)}`, clock },
      keep: demonstration => this.#keep(demonstration, options.who, stored),
    });
    this.#current = recording;
    this.#owner = owner;
    this.#keepDesktop = keepDesktop;
    if (this.#left.has(owner)) this.ownerLeft(owner);
    return recording.state;
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

  /** `stored`: the trajectories of the same recording so far. After a failed save, its next one may have other steps. */
  async #keep(
    { trajectory, own, taught }: PersonDemonstration,
    who: string,
    stored: Set<TrajectoryId>,
  ): Promise<void> {
    const { store, accept } = this.#options;
    const { id } = trajectory;
    const isAgain = stored.has(id);
    await store.ingest(trajectory, { replacesMarked: isAgain });
    stored.add(id);
    if (own !== undefined) {
      await store.label(id, { kind: 'instruction', text: own }, who);
      await store.label(id, { kind: 'verdict', success: true }, who);
    }
    // Earlier steps of an agent are never imitated. The part of an earlier save counts other steps.
    if (taught !== undefined || isAgain) await store.label(id, { kind: 'trim', part: taught ?? null }, who);
    await accept(id, who);
  }
}

function refuseOffline({ environments }: Config): void {
  if (environments.kind === 'offline')
    throw new RecordError(
      "Stored trajectories ('environments.kind' is 'offline') cannot be recorded on: their screens do not react. Choose another kind of desktops.",
    );
}
