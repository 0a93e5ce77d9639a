// Imports trajectories of other programs into the store, and exports stored ones, for the daemon and for a terminal without one.

import { isAbsolute } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { runId, type TrajectoryId, trajectoryId } from '../../core/ids.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Filter, IndexedTrajectory } from '../../data/index/queries.ts';
import type { TrajectoryStore } from '../../data/store.ts';
import { SCREEN } from '../../environments/pocket/getters.ts';
import { type Suite, taskIfPossible } from '../../environments/suite.ts';
import { domainOf } from '../../formats/domain.ts';
import { DEFAULT_SCREEN } from '../../formats/episode.ts';
import { type ExportItem, exportTrajectories } from '../../formats/export.ts';
import { importFrom } from '../../formats/import.ts';
import { openSource } from '../../formats/source/open.ts';
import type { ExportReport, ImportReport } from '../../protocol/daemon/exchange.ts';
import type { DaemonParams } from '../../protocol/daemon/messages.ts';
import { openSuite } from '../../run/suite.ts';
import { afterVerdict, isCorrected } from './after-verdict.ts';

export interface ExchangeOptions {
  readonly store: Pick<TrajectoryStore, 'index' | 'ingest' | 'read'>;
  /** The configuration of the workspace: its desktops and tasks. */
  readonly config: () => Promise<Config>;
  /** The pictures of a trajectory whose file has none. */
  readonly redraw: (id: TrajectoryId) => Promise<readonly Uint8Array[]>;
  readonly clock: Clock;
}

/** The requests of clients. */
export type Exchange = Pick<TrajectoryExchange, 'import' | 'export' | 'now'>;

type ExchangeKind = 'import' | 'export';

export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
}

const PAGE = 500;

export class TrajectoryExchange {
  readonly #options: ExchangeOptions;
  /** One exchange at a time: each holds a trajectory with its pictures in memory. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #now: readonly ExchangeKind[] = [];
  readonly #closing = new AbortController();

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Exchanges that have not ended, oldest first. */
  get now(): readonly ExchangeKind[] {
    return this.#now;
  }

  import(params: DaemonParams<'trajectories.import'>): Promise<ImportReport> {
    return this.#afterLast('import', () => this.#import(params));
  }

  export(params: DaemonParams<'trajectories.export'>): Promise<ExportReport> {
    return this.#afterLast('export', () => this.#export(params));
  }

  /** Ends the exchange that is under way after its present trajectory. */
  async close(): Promise<void> {
    this.#closing.abort(
      new ExchangeError('The program is ending, so not all trajectories were exchanged. Repeat the command.'),
    );
    await this.#last;
  }

  async #import({
    path,
    format,
    screen = DEFAULT_SCREEN,
  }: DaemonParams<'trajectories.import'>): Promise<ImportReport> {
    requireAbsolute(path);
    const { store, config, clock } = this.#options;
    const settings = await config();
    const suite = await openSuite(settings);
    const { kind } = settings.environments;
    const source = await openSource(path);
    try {
      return await importFrom(source, {
        ...(format !== undefined && { format }),
        ...{ screen, now: clock.now(), signal: this.#closing.signal },
        instructionOf: task => instructionIn(suite, task),
        place: { kind, suite, agent: settings.agent, screen: kind === 'pocket' ? SCREEN : undefined },
        store: {
          has: async id => (await store.index.row(id)) !== undefined,
          add: trajectory => store.ingest(trajectory),
        },
      });
    } finally {
      await source.close();
    }
  }

  async #export(params: DaemonParams<'trajectories.export'>): Promise<ExportReport> {
    const { format, out: folder, screen = DEFAULT_SCREEN, whole = false, replace = false } = params;
    requireAbsolute(folder);
    const config = await this.#options.config();
    const suite = await openSuite(config);
    const appsOf = (task: string): readonly string[] =>
      suite.templates.find(({ id }) => id === task)?.apps ?? [];
    return exportTrajectories({
      ...{ format, folder, screen, whole, replace, signal: this.#closing.signal },
      trajectories: this.#items(params, suite),
      domainOf: ({ instance }) => domainOf(appsOf(instance.task), config.environments.kind),
    });
  }

  async *#items(params: DaemonParams<'trajectories.export'>, suite: Suite): AsyncGenerator<ExportItem> {
    const { only, split } = params;
    for await (const row of this.#rows(params)) {
      if (only === 'successes' && row.outcome !== 'success') continue;
      if (split !== undefined && splitIn(suite, row) !== split) continue;
      yield await this.#item(row);
    }
  }

  async #item(row: IndexedTrajectory): Promise<ExportItem> {
    const { store, redraw } = this.#options;
    try {
      const stored = await store.read(row.id);
      const trajectory = afterVerdict(stored, row);
      const pictures =
        trajectory.frames.kind === 'png' ? trajectory.frames.images : await redraw(trajectory.id);
      return {
        ...{ kind: 'trajectory', trajectory, pictures, isCorrected: isCorrected(stored, trajectory) },
        ...(row.trim !== undefined && { part: row.trim }),
      };
    } catch (error) {
      return { kind: 'unreadable', id: row.id, why: messageOf(error) };
    }
  }

  /** Each trajectory once, oldest first within a run. */
  async *#rows({
    runs,
    trajectories,
  }: DaemonParams<'trajectories.export'>): AsyncGenerator<IndexedTrajectory> {
    const { index } = this.#options.store;
    const named = new Map<TrajectoryId, IndexedTrajectory>();
    for (const name of trajectories ?? []) {
      const row = await index.row(trajectoryId(name));
      if (row === undefined)
        throw new ExchangeError(
          `No trajectory is called '${name}'. It does not exist, or retention deleted it. The panel Trajectories lists all.`,
        );
      named.set(row.id, row);
    }
    yield* named.values();
    const ofRuns = [...new Set(runs)].map(run => ({ run: runId(run) }));
    const filters = runs === undefined && trajectories === undefined ? [{}] : ofRuns;
    for (const filter of filters) {
      const rows = await rowsOf(index, filter);
      for (const row of rows) if (!named.has(row.id)) yield row;
    }
  }

  #afterLast<T>(kind: ExchangeKind, work: () => Promise<T>): Promise<T> {
    this.#now = [...this.#now, kind];
    const done = this.#last.then(work).finally(() => {
      // They end in the order in which they began.
      this.#now = this.#now.slice(1);
    });
    // Its caller gets the error.
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/**
 * Oldest first. All are read before the first is exported, newest first: retention deletes the oldest meanwhile, which would move the rows of
 * later pages.
 */
async function rowsOf(
  index: TrajectoryStore['index'],
  filter: Filter,
): Promise<readonly IndexedTrajectory[]> {
  const rows: IndexedTrajectory[] = [];
  for (let upTo: number | undefined; ; ) {
    const page = await index.page({
      ...{ filter, sort: 'startedAt', descending: true, offset: rows.length, limit: PAGE },
      ...(upTo !== undefined && { upTo }),
    });
    upTo = page.upTo;
    rows.push(...page.rows);
    if (page.rows.length < PAGE) return rows.reverse();
  }
}

function requireAbsolute(path: string): void {
  if (!isAbsolute(path))
    throw new ExchangeError(
      `The path '${path}' is relative. Give an absolute path, since the working directory of the daemon is another one.`,
    );
}

const instructionIn = (suite: Suite, task: string): string | undefined =>
  taskIfPossible(suite, task, suite.seed('train', 0))?.instruction;

/** Undefined for an instance that the workspace does not have or cannot make. */
const splitIn = (suite: Suite, { instance }: Pick<Trajectory, 'instance'>): string | undefined =>
  taskIfPossible(suite, instance.task, instance.seed)?.dartboard?.split;
