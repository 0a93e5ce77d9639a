// What can be asked about trajectories, answered from the store: lists, one as a whole with its pictures, what is said of them, and how
// their tasks fare. How a question travels is not known here.

import { type RunId, runId, type TrajectoryId } from '../../core/ids.ts';
import { pngSize } from '../../core/png.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { type Remark, undoOf } from '../../data/files/marks.ts';
import type { Row } from '../../data/index/questions.ts';
import { NoSuchTrajectory, type TrajectoryStore } from '../../data/store.ts';
import type {
  AnnotateResult,
  AnnotationQueue,
  PoolMembers,
  TaskRows,
} from '../../protocol/daemon/annotation.ts';
import type { DaemonParams } from '../../protocol/daemon/messages.ts';
import type {
  ElementsResult,
  FrameResult,
  TrajectoryDetail,
  TrajectoryList,
  UncertainStep,
} from '../../protocol/daemon/trajectories.ts';
import { doubtOf, filmOf } from '../frames/film.ts';
import { FrameRenderError, FrameRenderer } from '../frames/frame-renderer.ts';
import { type Film, Frames } from '../frames/frames.ts';
import type { Runs } from '../runs.ts';
import { filterFrom, stepFilterFrom, tasksMeant } from './list-filters.ts';
import { Masks } from './mask-file.ts';
import type { Suites } from './suites.ts';
import { taskRows } from './task-rows.ts';
import {
  shownMarks,
  shownRemark,
  shownRow,
  shownStep,
  shownUncertain,
  sourceOf,
  trainingOf,
  whyOf,
} from './trajectory-view.ts';

export interface Trajectories {
  /** Somebody is there, who will want to see pictures: what draws them gets ready. */
  prepare(): void;
  list(asked: DaemonParams<'trajectories.list'>): Promise<TrajectoryList>;
  whole(id: TrajectoryId): Promise<TrajectoryDetail>;
  /** The picture before the step, as a PNG. Rejects with Superseded once the signal is aborted. */
  frame(
    id: TrajectoryId,
    step: number,
    signal?: AbortSignal,
  ): Promise<{ readonly about: FrameResult; readonly png: Uint8Array }>;
  elements(id: TrajectoryId, step: number): Promise<ElementsResult>;
  uncertain(asked: DaemonParams<'steps.uncertain'>): Promise<{ steps: UncertainStep[] }>;
  queue(asked: DaemonParams<'annotation.queue'>): Promise<AnnotationQueue>;
  annotate(id: TrajectoryId, remark: Remark, who: string): Promise<AnnotateResult>;
  pool(asked: DaemonParams<'pool.list'>): Promise<PoolMembers>;
  tasks(asked: DaemonParams<'tasks.list'>): Promise<TaskRows>;
}

export interface TrajectoriesOptions {
  readonly store: Pick<TrajectoryStore, 'questions' | 'label' | 'read'>;
  readonly suites: Suites;
  /** The file of a run's masks. */
  readonly masksOf: (run: RunId) => string;
  /** What is said of a trajectory reaches the run that trains. */
  readonly runs: Pick<Runs, 'judge' | 'accept' | 'reject' | 'poolChanged'>;
  /** The bundled frames-worker.ts. */
  readonly entry: URL;
}

/** What was asked for is not there, in the field that is named. */
export class NoSuchStep extends Error {
  override readonly name = 'NoSuchStep';
  readonly field: string;

  constructor(message: string, field: string) {
    super(message);
    this.field = field;
  }
}

/** More of a group are never played. */
const MOST_SIBLINGS = 64;

export class StoredTrajectories implements Trajectories {
  readonly #options: TrajectoriesOptions;
  readonly #masks = new Map<RunId, Masks>();
  readonly #draughtsman: FrameRenderer;
  readonly #frames: Frames;
  readonly #reading = new Map<TrajectoryId, Promise<Trajectory>>();
  #isPrepared = false;

  constructor(options: TrajectoriesOptions) {
    this.#options = options;
    this.#draughtsman = new FrameRenderer(options.entry);
    this.#frames = new Frames(id => this.#film(id));
  }

  /** What is done for the first time is slow, so it is done before anybody waits: the newest is as likely as any. */
  prepare(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    this.#draughtsman.prepare();
    const newest = { sort: 'endedAt', descending: true, offset: 0, limit: 1 } as const;
    this.#options.store.questions
      .page({ filter: {}, ...newest })
      .then(({ rows: [row] }) => row && this.#frames.of(row.id))
      // Whoever wants to see it is told.
      .catch(() => undefined);
  }

  async list({ filter, upTo, ...how }: DaemonParams<'trajectories.list'>): Promise<TrajectoryList> {
    const { store, suites } = this.#options;
    const known = await suites.tasks(nameOf(filter.run));
    const question = { filter: filterFrom(filter, known), ...how, ...(upTo !== undefined && { upTo }) };
    const { rows, ...found } = await store.questions.page(question);
    return { ...found, rows: rows.map(row => shownRow(row, known.get(row.instance.task))) };
  }

  async whole(id: TrajectoryId): Promise<TrajectoryDetail> {
    const { store, suites } = this.#options;
    const row = await this.#row(id);
    const [known, trajectory, said, mask, siblings] = await Promise.all([
      suites.tasks(row.run),
      this.#read(id),
      store.questions.said(id),
      this.#mask(row),
      this.#siblings(row),
    ]);
    const training = mask && trainingOf(mask, id);
    const task = known.get(row.instance.task);
    const [source, doubt] = [sourceOf(trajectory), doubtOf(trajectory, task?.changedAt)];
    const why = await this.#why(trajectory);
    return {
      ...shownRow(row, task),
      maxSteps: trajectory.maxSteps,
      why,
      ...(source !== undefined && { source }),
      frames: {
        kind: trajectory.frames.kind,
        count: trajectory.steps.length + 1,
        ...(doubt !== undefined && { doubt }),
      },
      each: trajectory.steps.map((step, index) => shownStep(step, training?.[index])),
      siblings: siblings.map(({ id: trajectory, outcome, score, steps, endedAt }) => ({
        ...{ trajectory, outcome, steps, endedAt },
        ...(score !== undefined && { score }),
      })),
      said: said.map(shownRemark),
    };
  }

  async frame(id: TrajectoryId, step: number, signal?: AbortSignal) {
    const { pictures, doubt } = await this.#frames.of(id, signal);
    const picture = await pictures[step];
    if (picture === undefined) throw noSuchStep(id, step, pictures.length);
    const about = {
      ...pngSize(picture.image),
      count: pictures.length,
      ...(doubt !== undefined && { doubt }),
    };
    return { about, png: picture.image };
  }

  async elements(id: TrajectoryId, step: number): Promise<ElementsResult> {
    const { pictures } = await this.#frames.of(id);
    const picture = await pictures[step];
    if (picture === undefined) throw noSuchStep(id, step, pictures.length);
    const found = picture.elements?.map(element => ({ ...element, states: [...element.states] }));
    return { elements: found ?? null };
  }

  async uncertain({ filter, by, ...window }: DaemonParams<'steps.uncertain'>) {
    const { store, suites } = this.#options;
    const known = await suites.tasks(nameOf(filter.run));
    const steps = await store.questions.steps({
      filter: stepFilterFrom(filter, known),
      ...(by !== undefined && { by }),
      ...window,
    });
    return { steps: steps.map(step => shownUncertain(step, known.get(step.instance.task))) };
  }

  async queue({
    run,
    offset,
    limit,
    ...narrowing
  }: DaemonParams<'annotation.queue'>): Promise<AnnotationQueue> {
    const { store, suites } = this.#options;
    const known = await suites.tasks(nameOf(run));
    const tasks = tasksMeant(narrowing, known);
    const { total, waiting } = await store.questions.waiting({
      ...(run !== undefined && { run: runId(run) }),
      ...(tasks !== undefined && { tasks }),
      ...{ offset, limit },
    });
    return {
      total,
      waiting: waiting.map(({ row, members, successes, trials }) => ({
        row: shownRow(row, known.get(row.instance.task)),
        members,
        ...(trials > 0 && { rate: successes / trials }),
      })),
    };
  }

  async annotate(id: TrajectoryId, remark: Remark, who: string): Promise<AnnotateResult> {
    const before = await this.#row(id);
    refuseBeyond(before, remark);
    await this.#say(before, remark, who);
    return { marked: shownMarks(await this.#row(id)), undo: undoOf(before, remark) };
  }

  async #say({ id, run }: Row, remark: Remark, who: string): Promise<void> {
    const { store, runs } = this.#options;
    if (remark.kind === 'pool' && remark.isMember === true) return runs.accept(id, who);
    if (remark.kind === 'pool' && remark.isMember === false) return runs.reject(id, who);
    if (remark.kind === 'verdict' && run !== undefined) await runs.judge(run, id, remark.success, who);
    else await store.label(id, remark, who);
    if (CHANGES_LESSONS.has(remark.kind)) await runs.poolChanged(id);
  }

  async pool({ offset, limit, ...narrowing }: DaemonParams<'pool.list'>): Promise<PoolMembers> {
    const { store, suites } = this.#options;
    const known = await suites.tasks();
    const tasks = tasksMeant(narrowing, known);
    const { total, members } = await store.questions.members({
      ...(tasks !== undefined && { tasks }),
      ...{ offset, limit },
    });
    return {
      total,
      members: members.map(({ row, who, at }) => ({
        row: shownRow(row, known.get(row.instance.task)),
        accepted: { who, at },
      })),
    };
  }

  async tasks({ run, purposes = ['train'] }: DaemonParams<'tasks.list'>): Promise<TaskRows> {
    const { store, suites } = this.#options;
    const known = await suites.tasks(nameOf(run));
    const filter = { purposes, ...(run !== undefined && { run: runId(run) }) };
    return { tasks: await taskRows(store.questions, [...known.values()], filter) };
  }

  async close(): Promise<void> {
    await this.#draughtsman.close();
  }

  async #film(id: TrajectoryId): Promise<Film> {
    const { suites } = this.#options;
    const trajectory = await this.#read(id);
    const { run, instance } = trajectory;
    const folder = run && (await suites.folderOf(run));
    const changedAt = (await suites.tasks(run)).get(instance.task)?.changedAt;
    return filmOf(trajectory, { folder, changedAt, draw: (...asked) => this.#draughtsman.draw(...asked) });
  }

  /** All of it and its pictures are wanted at the same time: its file is read once. */
  #read(id: TrajectoryId): Promise<Trajectory> {
    const known = this.#reading.get(id);
    if (known !== undefined) return known;
    const read = this.#options.store.read(id).finally(() => this.#reading.delete(id));
    this.#reading.set(id, read);
    return read;
  }

  /** In words where they can be found again, else as the evaluator put it. */
  async #why(trajectory: Trajectory): Promise<string> {
    const { id, frames, outcome } = trajectory;
    if (frames.kind !== 'redrawn' || outcome.kind !== 'judged') return whyOf(trajectory);
    try {
      const film = await this.#frames.of(id);
      return (await film.reasons) ?? whyOf(trajectory);
    } catch (error) {
      // It is told where the pictures would be.
      if (error instanceof FrameRenderError) return whyOf(trajectory);
      throw error;
    }
  }

  async #mask({ run, group }: Row) {
    if (run === undefined || group === undefined) return undefined;
    const file = this.#masks.get(run) ?? new Masks(this.#options.masksOf(run));
    this.#masks.set(run, file);
    return file.of(group);
  }

  async #siblings({ run, group }: Row): Promise<readonly Row[]> {
    if (group === undefined) return [];
    const filter = { group, ...(run !== undefined && { run }) };
    const order = { sort: 'endedAt', descending: false, offset: 0, limit: MOST_SIBLINGS } as const;
    return (await this.#options.store.questions.page({ filter, ...order })).rows;
  }

  async #row(id: TrajectoryId): Promise<Row> {
    const row = await this.#options.store.questions.row(id);
    if (row !== undefined) return row;
    throw new NoSuchTrajectory(
      `There is no trajectory ${id}: it was never there, or gave way to newer ones.`,
    );
  }
}

/** What a run learns from a member of the pool, or whether it does. */
const CHANGES_LESSONS: ReadonlySet<Remark['kind']> = new Set(['pool', 'verdict', 'trim', 'instruction']);

/** Steps that it does not have cannot be meant. */
function refuseBeyond({ id, steps }: Row, remark: Remark): void {
  if (remark.kind === 'key-step' && remark.step >= steps)
    throw new NoSuchStep(
      `The trajectory ${id} has no step ${remark.step}: it has ${steps}, from 0 on.`,
      'params.remark.step',
    );
  if (remark.kind !== 'trim' || remark.part === null) return;
  const { from, to } = remark.part;
  if (from < to && to <= steps) return;
  throw new NoSuchStep(
    `The trajectory ${id} has no part from ${from} to ${to}: give a first step, and one after the last, of its ${steps}.`,
    'params.remark.part',
  );
}

const noSuchStep = (id: TrajectoryId, step: number, count: number): NoSuchStep =>
  new NoSuchStep(`The trajectory ${id} has no picture ${step}: it has ${count}, from 0 on.`, 'params.step');

const nameOf = (run: string | undefined): RunId | undefined => (run === undefined ? undefined : runId(run));
