// Reads all trajectories of a source and stores them. Each is stored completely or not at all; one that is stored already is not stored
// again, so an import can be repeated after a crash.

import { basename } from 'node:path';
import type { TrajectoryId } from '../core/ids.ts';
import { pngSize } from '../core/png.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { isSuccess } from '../core/verdict.ts';
import type { Suite } from '../environments/suite.ts';
import {
  FORMAT_TITLES,
  IMPORT_FORMATS,
  type ImportedReport,
  type ImportFormat,
  type ImportReport,
  MAX_REPORTED,
} from '../protocol/daemon/exchange.ts';
import { BUILT_IN } from '../run/suite.ts';
import { AGENTNET_READER } from './agentnet/read.ts';
import { DART_READER } from './dart/read.ts';
import type { ReadItem, ReadOptions, TrajectoryReader } from './episode.ts';
import { OSWORLD_READER, partsOfResults } from './osworld/read.ts';
import type { SourceFiles } from './source/source.ts';
import { refusalOf } from './text.ts';
import { isReserved, type TrainingPlace, whyUntrained } from './training-use.ts';
import { trajectoryFrom } from './trajectory.ts';

const READERS: Readonly<Record<ImportFormat, TrajectoryReader>> = {
  osworld: OSWORLD_READER,
  dart: DART_READER,
  agentnet: AGENTNET_READER,
};

export interface ImportStore {
  has(id: TrajectoryId): Promise<boolean>;
  /** Resolves once it is durable. */
  add(trajectory: Trajectory): Promise<void>;
}

export interface ImportOptions extends ReadOptions {
  /** Only files of this format. */
  readonly format?: ImportFormat;
  readonly now: number;
  readonly place: TrainingPlace;
  readonly store: ImportStore;
  /** Ends the import after the present trajectory. */
  readonly signal?: AbortSignal;
}

export async function importFrom(source: SourceFiles, options: ImportOptions): Promise<ImportReport> {
  const { format: only, signal } = options;
  const counts = { stored: 0, known: 0, skipped: 0, steps: 0, unreadable: 0 };
  const trajectories: ImportedReport[] = [];
  const skipped: { file: string; why: string }[] = [];
  const skip = (file: string, why: string): void => {
    counts.skipped += 1;
    if (skipped.length < MAX_REPORTED) skipped.push({ file, why });
  };
  for (const { file, why } of source.refused) skip(file, why);
  const parts = partsOfResults(source);
  for (const file of source.candidates) {
    if (parts.has(file) && isFormatOf(only, 'osworld')) continue;
    for await (const { format, item } of itemsOf(file, source, only, options)) {
      signal?.throwIfAborted();
      if (item.kind === 'refused') {
        skip(item.file, item.why);
        continue;
      }
      try {
        const report = await storeItem(item, format, source, options);
        counts[report.isKnown ? 'known' : 'stored'] += 1;
        counts.steps += report.steps;
        counts.unreadable += report.unreadable;
        if (trajectories.length < MAX_REPORTED) trajectories.push(report);
      } catch (error) {
        skip(item.file, refusalOf(error));
      }
    }
  }
  const isOffline = options.place.kind === 'offline';
  return { source: source.title, counts, trajectories, ...(isOffline && { isOffline }), skipped };
}

const isFormatOf = (only: ImportFormat | undefined, format: ImportFormat): boolean =>
  only === undefined || only === format;

interface FoundItem {
  readonly format: ImportFormat;
  readonly item: ReadItem;
}

async function* itemsOf(
  file: string,
  source: SourceFiles,
  only: ImportFormat | undefined,
  options: ReadOptions,
): AsyncGenerator<FoundItem> {
  const formats = IMPORT_FORMATS.filter(format => isFormatOf(only, format));
  for (const format of formats) {
    try {
      const items = await READERS[format].read(file, source, options);
      if (items === undefined) continue;
      for await (const item of items) yield { format, item };
    } catch (error) {
      yield { format, item: { kind: 'refused', file, why: refusalOf(error) } };
    }
    return;
  }
  const [format = 'osworld'] = formats;
  const names = formats.map(each => FORMAT_TITLES[each]).join(', ');
  const why = `It has none of the formats that can be read (${names}). Leave it out, or convert it.`;
  yield { format, item: { kind: 'refused', file, why } };
}

/** Offline desktops play trajectories of all other kinds, so the test instances of these must not train. */
const suitesOf = ({ kind, suite }: TrainingPlace): readonly Suite[] =>
  kind === 'offline' ? Object.values(BUILT_IN) : [suite];

async function storeItem(
  { file, episode }: Extract<ReadItem, { kind: 'episode' }>,
  format: ImportFormat,
  source: SourceFiles,
  { store, now, place }: ImportOptions,
): Promise<ImportedReport> {
  const from = basename(source.title) === file ? file : `${basename(source.title)}/${file}`;
  const trajectory = trajectoryFrom(episode, {
    ...{ format, from, now },
    isReserved: instance => suitesOf(place).some(suite => isReserved(suite, instance)),
  });
  const { original, pictures, steps, notes } = episode;
  const isOriginal = original !== undefined && (await store.has(original));
  const isKnown = isOriginal || (await store.has(trajectory.id));
  if (!isKnown) await store.add(trajectory);
  const { outcome } = trajectory;
  const first = pictures.find(({ length }) => length > 0);
  const untrained = whyUntrained(trajectory, first && pngSize(first), place);
  return {
    trajectory: isOriginal ? original : trajectory.id,
    ...{ format, file, isKnown, task: trajectory.instance.task, instruction: trajectory.instruction },
    steps: steps.length,
    pictures: pictures.filter(({ length }) => length > 0).length,
    unreadable: steps.filter(({ action }) => action.kind === 'none').length,
    outcome: outcome.kind === 'broken' ? 'broken' : isSuccess(outcome) ? 'success' : 'failure',
    ...(outcome.kind === 'judged' && { score: outcome.verdict.score }),
    notes: [...notes],
    ...(untrained !== undefined && { untrained }),
  };
}
