// Writes trajectories in a format below a folder. Files are complete when they have their name: shared files are written under another
// name, and a trajectory's last file completes it.

import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TrajectoryId } from '../core/ids.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Part } from '../data/files/marks.ts';
import { UNFINISHED } from '../data/files/places.ts';
import { type ExportFormat, type ExportReport, MAX_REPORTED } from '../protocol/daemon/exchange.ts';
import { writeAgentNet } from './agentnet/write.ts';
import { LLAMA_FACTORY_INFO, writeLlamaFactory, writeTrl } from './chat/write.ts';
import { writeDart } from './dart/write.ts';
import { ExportFolder } from './export-folder.ts';
import { writeOsworld } from './osworld/write.ts';
import { type PartOfTrajectory, partOf } from './part.ts';
import {
  type TrajectoryWriter,
  type WriteOptions,
  WriteRefusal,
  type WrittenFile,
  type WrittenTrajectory,
} from './written-files.ts';

export interface ExportOptions extends Omit<WriteOptions, 'isChanged'> {
  readonly format: ExportFormat;
  readonly folder: string;
  /** Yields one trajectory at a time, because each may have hundreds of pictures. Skips unreadable ones with the reason. */
  readonly trajectories: AsyncIterable<ExportItem>;
  /** Also the steps that a trim leaves out. */
  readonly whole?: boolean;
  /** Deletes the files of an earlier export, once there is a trajectory to write. */
  readonly replace?: boolean;
  /** Ends the export after the present trajectory; the folder then has no shared files. */
  readonly signal?: AbortSignal;
}

export type ExportItem =
  | {
      readonly kind: 'trajectory';
      readonly trajectory: Trajectory;
      readonly pictures: readonly Uint8Array[];
      /** The part to learn from; absent: all steps. */
      readonly part?: Part;
      /** People changed its score or its instruction. */
      readonly isCorrected?: boolean;
    }
  | { readonly kind: 'unreadable'; readonly id: TrajectoryId; readonly why: string };

interface FormatWriter {
  readonly write: TrajectoryWriter;
  /** Its files are results of whole episodes. */
  readonly isWhole?: boolean;
  /** Written once, if anything was. */
  readonly once: readonly WrittenFile[];
}

/** Per export, because one writer remembers the folders that it has used. */
const WRITERS: Readonly<Record<ExportFormat, () => FormatWriter>> = {
  osworld: () => ({ write: writeOsworld(new Set()), isWhole: true, once: [] }),
  dart: () => ({ write: writeDart, once: [] }),
  agentnet: () => ({ write: writeAgentNet, once: [] }),
  trl: () => ({ write: writeTrl, once: [] }),
  'llama-factory': () => ({ write: writeLlamaFactory, once: [LLAMA_FACTORY_INFO] }),
};

export async function exportTrajectories(options: ExportOptions): Promise<ExportReport> {
  const { format, folder, trajectories, whole = false, replace = false, signal } = options;
  const { write, isWhole = whole, once } = WRITERS[format]();
  const counts = { trajectories: 0, trimmed: 0, examples: 0, skipped: 0 };
  const skipped: { trajectory: TrajectoryId; why: string }[] = [];
  const skip = (trajectory: TrajectoryId, why: string): void => {
    counts.skipped += 1;
    if (skipped.length < MAX_REPORTED) skipped.push({ trajectory, why });
  };
  const out = await ExportFolder.open(folder, replace);
  const shared = new SharedFiles(out);
  try {
    for await (const item of trajectories) {
      signal?.throwIfAborted();
      if (item.kind === 'unreadable') {
        skip(item.id, item.why);
        continue;
      }
      const { trajectory } = item;
      const written = writtenOr(() => {
        const kept = keptOf(item, isWhole);
        requireOwnEffects(kept.trajectory);
        const isTrimmed = kept.trajectory.steps.length < trajectory.steps.length;
        const isChanged = isTrimmed || item.isCorrected === true;
        return { ...write(kept.trajectory, kept.pictures, { ...options, isChanged }), isTrimmed };
      });
      if (typeof written === 'string') {
        skip(trajectory.id, written);
        continue;
      }
      await out.write(written.files);
      for (const line of written.lines) await shared.add(line.place, line.text);
      counts.trajectories += 1;
      if (written.isTrimmed) counts.trimmed += 1;
      counts.examples += written.examples ?? 0;
      for (const why of written.omitted ?? [])
        if (skipped.length < MAX_REPORTED) skipped.push({ trajectory: trajectory.id, why });
    }
    if (counts.trajectories > 0) await out.write(once);
    await shared.finish();
  } finally {
    await shared.discard();
    await out.close();
  }
  return { format, folder, counts, skipped };
}

const keptOf = (
  { trajectory, pictures, part }: Extract<ExportItem, { kind: 'trajectory' }>,
  isWhole: boolean,
): PartOfTrajectory =>
  part === undefined || isWhole ? { trajectory, pictures } : partOf(trajectory, pictures, part);

/** On a stored trajectory, the picture after a different action shows the effect of the expert's. */
function requireOwnEffects({ steps }: Trajectory): void {
  const differs = steps.findIndex(({ match }) => match !== undefined && match.score < 1);
  if (differs >= 0)
    throw new WriteRefusal(
      `It was played on a stored trajectory, and its step ${differs + 1} differs from the expert's. Export the trajectory of the expert.`,
    );
}

function writtenOr<T extends WrittenTrajectory>(write: () => T): T | string {
  try {
    return write();
  } catch (error) {
    if (error instanceof WriteRefusal) return error.message;
    throw error;
  }
}

/** Files of lines, each under another name until all lines are there. */
class SharedFiles {
  readonly #folder: ExportFolder;
  readonly #open = new Map<string, FileHandle>();

  constructor(folder: ExportFolder) {
    this.#folder = folder;
  }

  async add(place: string, text: string): Promise<void> {
    const file = this.#open.get(place) ?? (await this.#begin(place));
    // `write` may store a part of the text without an error, as when the disk becomes full.
    await file.appendFile(`${text}\n`);
  }

  async finish(): Promise<void> {
    for (const [place, file] of this.#open) {
      await file.sync();
      await file.close();
      this.#open.delete(place);
      await rename(this.#path(place) + UNFINISHED, this.#path(place));
    }
  }

  /** The files that are left after an error. */
  async discard(): Promise<void> {
    for (const [place, file] of this.#open) {
      await file.close();
      await rm(this.#path(place) + UNFINISHED, { force: true });
    }
    this.#open.clear();
  }

  async #begin(place: string): Promise<FileHandle> {
    await this.#folder.list([place, place + UNFINISHED]);
    await mkdir(dirname(this.#path(place)), { recursive: true });
    const file = await open(this.#path(place) + UNFINISHED, 'w');
    this.#open.set(place, file);
    return file;
  }

  #path(place: string): string {
    return join(this.#folder.path, place);
  }
}
