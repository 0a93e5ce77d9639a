// Queries of clients about trajectories, answered from the store: lists, single trajectories with pictures, annotations and statistics of
// tasks.

import { type RunId, runId, type TrajectoryId } from '../../core/ids.ts';
import { pngSize } from '../../core/png.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { agreements, modelAgreements } from '../../data/agreement.ts';
import { type Remark, undoOf } from '../../data/files/marks.ts';
import type { IndexedTrajectory } from '../../data/index/queries.ts';
import { NoSuchTrajectory, type TrajectoryStore } from '../../data/store.ts';
import type { AgentComparisonResult, ListedAgent } from '../../protocol/daemon/agents.ts';
import type {
  AgreementResult,
  AnnotateResult,
  AnnotationQueue,
  PoolMembers,
  TaskRows,
} from '../../protocol/daemon/annotation.ts';
import type { FleetResult } from '../../protocol/daemon/fleet.ts';
import type { DaemonParams } from '../../protocol/daemon/messages.ts';
import type {
  ElementsResult,
  FrameResult,
  TrajectoryDetail,
  TrajectoryList,
  UncertainStep,
} from '../../protocol/daemon/trajectories.ts';
import { doubtOf, frameSequenceOf } from '../frames/film.ts';
import { FrameRenderError, FrameRenderer } from '../frames/frame-renderer.ts';
import { DaemonFrameCache, type FramePicture, type FrameSequence } from '../frames/frames.ts';
import { compareInIndex, listAgents } from './compared-agents.ts';
import { filterFrom, matchingTasks, stepFilterFrom } from './list-filters.ts';
import { readMask } from './mask-file.ts';
import type { Suites } from './suites.ts';
import { taskRows } from './task-rows.ts';
import {
  sourceOf,
  toMarks,
  toRemark,
  toStepDetails,
  toSuggestion,
  toTrajectoryRow,
  toUncertainStep,
  trainingOf,
  whyOf,
} from './trajectory-view.ts';

/** The queries of clients. */
export type Trajectories = Omit<StoredTrajectories, 'close'>;

/** Brings annotations to the run that trains. */
interface AnnotatedRuns {
  judge(run: RunId, trajectory: TrajectoryId, success: boolean | null, who: string): Promise<void>;
  accept(trajectory: TrajectoryId, who: string): Promise<void>;
  reject(trajectory: TrajectoryId, who: string): Promise<void>;
  poolChanged(trajectory: TrajectoryId): Promise<void>;
}

export interface TrajectoriesOptions {
  readonly store: Pick<TrajectoryStore, 'index' | 'label' | 'read'>;
  readonly suites: Suites;
  /** The path of masks.jsonl of a run. */
  readonly masksOf: (run: RunId) => string;
  readonly runs: AnnotatedRuns;
  /** The bundled frames-worker.ts. */
  readonly entry: URL;
  /** Shows a message to the user. */
  readonly notice: (message: string) => void;
}

/** A step, picture or part that a trajectory does not have; `field` is that of the request. */
export class NoSuchStep extends Error {
  override readonly name = 'NoSuchStep';
  readonly field: string;

  constructor(message: string, field: string) {
    super(message);
    this.field = field;
  }
}

/** A group never has more rollouts. */
const MAX_SIBLINGS = 64;

export class StoredTrajectories {
  readonly #options: TrajectoriesOptions;
  readonly #renderer: FrameRenderer;
  readonly #frames: DaemonFrameCache;
  readonly #reading = new Map<TrajectoryId, Promise<Trajectory>>();
  #isPrepared = false;

  constructor(options: TrajectoriesOptions) {
    this.#options = options;
    this.#renderer = new FrameRenderer(options.entry, options.notice);
    this.#frames = new DaemonFrameCache(id => this.#film(id));
  }

  /** When the first client connects: redraws the newest trajectory, its likeliest request, since the first redrawing is slow. */
  prepare(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    this.#renderer.prepare();
    const newest = { sort: 'endedAt', descending: true, offset: 0, limit: 1 } as const;
    this.#options.store.index
      .page({ filter: {}, ...newest })
      .then(({ rows: [row] }) => row && this.#frames.of(row.id))
      // A request for these pictures reports the error.
      .catch(() => undefined);
  }

  async list({ filter, upTo, ...how }: DaemonParams<'trajectories.list'>): Promise<TrajectoryList> {
    const { store, suites } = this.#options;
    const known = await suites.tasks(runOf(filter.run));
    const question = { filter: filterFrom(filter, known), ...how, ...(upTo !== undefined && { upTo }) };
    const { rows, ...found } = await store.index.page(question);
    return { ...found, rows: rows.map(row => toTrajectoryRow(row, known.get(row.instance.task))) };
  }

  async whole(id: TrajectoryId): Promise<TrajectoryDetail> {
    const { store, suites } = this.#options;
    const row = await this.#row(id);
    const [known, trajectory, said, mask, siblings] = await Promise.all([
      suites.tasks(row.run),
      this.#read(id),
      store.index.marks(id),
      this.#mask(row),
      this.#siblings(row),
    ]);
    const training = mask && trainingOf(mask, id);
    const task = known.get(row.instance.task);
    const [source, doubt] = [sourceOf(trajectory), doubtOf(trajectory, task?.changedAt)];
    const why = await this.#why(trajectory);
    return {
      ...toTrajectoryRow(row, task),
      maxSteps: trajectory.maxSteps,
      why,
      ...(source !== undefined && { source }),
      frames: {
        kind: trajectory.frames.kind,
        count: trajectory.steps.length + 1,
        ...(doubt !== undefined && { doubt }),
      },
      each: toStepDetails(trajectory.steps, training),
      siblings: siblings.map(({ id: trajectory, outcome, score, steps, endedAt }) => ({
        ...{ trajectory, outcome, steps, endedAt },
        ...(score !== undefined && { score }),
      })),
      said: said.map(toRemark),
    };
  }

  /** The picture before a step, as a PNG. */
  async frame(
    id: TrajectoryId,
    step: number,
  ): Promise<{ readonly about: FrameResult; readonly png: Uint8Array }> {
    const { pictures, doubt } = await this.#frames.of(id);
    const picture = await pictures[step];
    if (picture === undefined) throw noSuchStep(id, step, pictures.length);
    if (picture.image.length === 0)
      throw new NoSuchStep(
        `The imported trajectory ${id} has no picture ${step}: its source lacks it. Import a source with this picture.`,
        'params.step',
      );
    const about = {
      ...pngSize(picture.image),
      count: pictures.length,
      ...(doubt !== undefined && { doubt }),
    };
    return { about, png: picture.image };
  }

  /** All pictures. One that an imported trajectory lacks is empty. */
  async pictures(id: TrajectoryId): Promise<readonly FramePicture[]> {
    const { pictures } = await this.#frames.of(id);
    return Promise.all(pictures);
  }

  async elements(id: TrajectoryId, step: number): Promise<ElementsResult> {
    const { pictures } = await this.#frames.of(id);
    const picture = await pictures[step];
    if (picture === undefined) throw noSuchStep(id, step, pictures.length);
    const found = picture.elements?.map(element => ({ ...element, states: [...element.states] }));
    return { elements: found ?? null };
  }

  async uncertain({
    filter,
    by,
    ...window
  }: DaemonParams<'steps.uncertain'>): Promise<{ steps: UncertainStep[] }> {
    const { store, suites } = this.#options;
    const known = await suites.tasks(runOf(filter.run));
    const steps = await store.index.steps({
      filter: stepFilterFrom(filter, known),
      ...(by !== undefined && { by }),
      ...window,
    });
    return { steps: steps.map(step => toUncertainStep(step, known.get(step.instance.task))) };
  }

  agents(): Promise<{ agents: ListedAgent[] }> {
    return listAgents(this.#options.store.index);
  }

  async fleet(): Promise<FleetResult> {
    const runs = await this.#options.store.index.fleet();
    return runs === undefined ? {} : { runs: [...runs] };
  }

  compareAgents(params: DaemonParams<'agents.compare'>): Promise<AgentComparisonResult> {
    return compareInIndex(this.#options.store.index, params);
  }

  async queue({
    run,
    offset,
    limit,
    order,
    secondOf,
    ...narrowing
  }: DaemonParams<'annotation.queue'>): Promise<AnnotationQueue> {
    const { store, suites } = this.#options;
    const known = await suites.tasks(runOf(run));
    const tasks = matchingTasks(narrowing, known);
    const { total, waiting } = await store.index.waiting({
      ...(run !== undefined && { run: runId(run) }),
      ...(tasks !== undefined && { tasks }),
      ...(order !== undefined && { order }),
      ...(secondOf !== undefined && { secondOf }),
      ...{ offset, limit },
    });
    return {
      total,
      waiting: waiting.map(({ row, members, successes, trials, reasons, suggestion }) => ({
        row: toTrajectoryRow(row, known.get(row.instance.task)),
        members,
        reasons: [...reasons],
        ...(trials > 0 && { rate: successes / trials }),
        ...(suggestion !== undefined && { suggestion: toSuggestion(suggestion) }),
      })),
    };
  }

  async agreement({ run }: DaemonParams<'annotation.agreement'>): Promise<AgreementResult> {
    const { index } = this.#options.store;
    const ofRun = run === undefined ? {} : { run: runId(run) };
    const [votes, suggested] = await Promise.all([index.votes(ofRun), index.suggested(ofRun)]);
    return {
      pairs: agreements(votes).map(({ who, ...pair }) => ({ who: [...who], ...pair })),
      models: [...modelAgreements(suggested)],
    };
  }

  async annotate(id: TrajectoryId, remark: Remark, who: string): Promise<AnnotateResult> {
    const before = await this.#row(id);
    requireExistingSteps(before, remark);
    await this.#apply(before, remark, who);
    return { marked: toMarks(await this.#row(id)), undo: undoOf(before, remark, who) };
  }

  async #apply({ id, run }: IndexedTrajectory, remark: Remark, who: string): Promise<void> {
    const { store, runs } = this.#options;
    if (remark.kind === 'pool' && remark.isMember === true) return runs.accept(id, who);
    if (remark.kind === 'pool' && remark.isMember === false) return runs.reject(id, who);
    if (remark.kind === 'verdict' && run !== undefined) await runs.judge(run, id, remark.success, who);
    else await store.label(id, remark, who);
    if (POOL_REMARKS.has(remark.kind)) await runs.poolChanged(id);
  }

  async pool({ offset, limit, ...narrowing }: DaemonParams<'pool.list'>): Promise<PoolMembers> {
    const { store, suites } = this.#options;
    const known = await suites.tasks();
    const tasks = matchingTasks(narrowing, known);
    const { total, members } = await store.index.members({
      ...(tasks !== undefined && { tasks }),
      ...{ offset, limit },
    });
    return {
      total,
      members: members.map(({ row, who, at }) => ({
        row: toTrajectoryRow(row, known.get(row.instance.task)),
        accepted: { who, at },
      })),
    };
  }

  async tasks({ run, purposes = ['train'] }: DaemonParams<'tasks.list'>): Promise<TaskRows> {
    const { store, suites } = this.#options;
    const known = await suites.tasks(runOf(run));
    const filter = { purposes, ...(run !== undefined && { run: runId(run) }) };
    return { tasks: await taskRows(store.index, [...known.values()], filter) };
  }

  async close(): Promise<void> {
    await this.#renderer.close();
  }

  async #film(id: TrajectoryId): Promise<FrameSequence> {
    const { suites } = this.#options;
    const trajectory = await this.#read(id);
    const { run, instance } = trajectory;
    const folder = await suites.folderOf(run, instance.task);
    const changedAt = (await suites.tasks(run)).get(instance.task)?.changedAt;
    return frameSequenceOf(trajectory, {
      folder,
      changedAt,
      draw: (drawing, shot) => this.#renderer.draw(drawing, shot),
    });
  }

  /** Concurrent reads of a trajectory share one read of its file. */
  #read(id: TrajectoryId): Promise<Trajectory> {
    const known = this.#reading.get(id);
    if (known !== undefined) return known;
    const read = this.#options.store.read(id).finally(() => this.#reading.delete(id));
    this.#reading.set(id, read);
    return read;
  }

  /** The explanation of the verdict in words, or else the reason of the evaluator. */
  async #why(trajectory: Trajectory): Promise<string> {
    const { id, frames, outcome } = trajectory;
    if (frames.kind !== 'redrawn' || outcome.kind !== 'judged') return whyOf(trajectory);
    try {
      const film = await this.#frames.of(id);
      return (await film.reasons) ?? whyOf(trajectory);
    } catch (error) {
      // The pictures report this error.
      if (error instanceof FrameRenderError) return whyOf(trajectory);
      throw error;
    }
  }

  async #mask({ run, group }: IndexedTrajectory) {
    if (run === undefined || group === undefined) return undefined;
    return readMask(this.#options.masksOf(run), group);
  }

  async #siblings({ run, group }: IndexedTrajectory): Promise<readonly IndexedTrajectory[]> {
    if (group === undefined) return [];
    const filter = { group, ...(run !== undefined && { run }) };
    const order = { sort: 'endedAt', descending: false, offset: 0, limit: MAX_SIBLINGS } as const;
    return (await this.#options.store.index.page({ filter, ...order })).rows;
  }

  async #row(id: TrajectoryId): Promise<IndexedTrajectory> {
    const row = await this.#options.store.index.row(id);
    if (row !== undefined) return row;
    throw new NoSuchTrajectory(
      `The trajectory ${id} does not exist. It may have been deleted to make room for newer ones.`,
    );
  }
}

/** Annotations that change what a run learns from a member of the pool. */
const POOL_REMARKS: ReadonlySet<Remark['kind']> = new Set(['pool', 'verdict', 'trim', 'instruction']);

function requireExistingSteps({ id, steps }: IndexedTrajectory, remark: Remark): void {
  if (remark.kind === 'key-step' && remark.step >= steps)
    throw new NoSuchStep(
      `The trajectory ${id} has no step ${remark.step}. Its ${steps} steps start at 0.`,
      'params.remark.step',
    );
  if (remark.kind !== 'trim' || remark.part === null) return;
  const { from, to } = remark.part;
  if (from < to && to <= steps) return;
  throw new NoSuchStep(
    `The trajectory ${id} has no part from ${from} to ${to}. Give its first step and the step after its last one; it has ${steps} steps.`,
    'params.remark.part',
  );
}

const noSuchStep = (id: TrajectoryId, step: number, count: number): NoSuchStep =>
  new NoSuchStep(
    `The trajectory ${id} has no picture ${step}. Its ${count} pictures start at 0.`,
    'params.step',
  );

const runOf = (run: string | undefined): RunId | undefined => (run === undefined ? undefined : runId(run));
