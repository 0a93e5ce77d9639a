// Sources, stores and pictures for tests of the formats.

import type { TrajectoryId } from '../../runtime/core/ids.ts';
import { joined as joinedBytes, pngChunk, pngStart } from '../../runtime/core/png.ts';
import type { Size } from '../../runtime/core/screen.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { DEFAULT_SCREEN } from '../../runtime/formats/episode.ts';
import { type ImportOptions, type ImportStore, importFrom } from '../../runtime/formats/import.ts';
import { isCandidate, SourceError, type SourceFiles, tooLarge } from '../../runtime/formats/source/source.ts';
import { linesOf } from '../../runtime/formats/source/text-lines.ts';
import type { WrittenFile, WrittenTrajectory } from '../../runtime/formats/written-files.ts';
import type { ImportReport } from '../../runtime/protocol/daemon/exchange.ts';

/** A PNG whose pixels are not read; equal content for equal arguments. */
export const picture = ({ width, height }: Size, content = 0): Uint8Array =>
  joinedBytes([
    pngStart({ width, height }),
    pngChunk('IDAT', Uint8Array.of(content & 0xff, content >> 8)),
    pngChunk('IEND'),
  ]);

export function memorySource(files: readonly WrittenFile[]): SourceFiles {
  const byName = new Map(files.map(({ place, bytes }) => [place, bytes]));
  const names = [...byName.keys()].sort();
  const read = async (name: string, maxBytes: number): Promise<Uint8Array> => {
    const bytes = byName.get(name);
    if (bytes === undefined) throw new SourceError(`No file '${name}'.`);
    if (bytes.length > maxBytes) throw tooLarge(name, bytes.length, maxBytes);
    return bytes;
  };
  return {
    ...{ title: 'memory', above: ['memory'], names, candidates: names.filter(isCandidate), refused: [] },
    has: name => byName.has(name),
    read,
    async *lines(name, maxLineBytes) {
      yield* linesOf([await read(name, Number.MAX_SAFE_INTEGER)], maxLineBytes);
    },
    close: async () => undefined,
  };
}

/** The files of a writer, with the shared files of lines. */
export const filesOf = ({ files, lines }: WrittenTrajectory): readonly WrittenFile[] => [
  ...files,
  ...[...new Set(lines.map(({ place }) => place))].map(place => ({
    place,
    bytes: new TextEncoder().encode(
      lines
        .filter(line => line.place === place)
        .map(({ text }) => `${text}\n`)
        .join(''),
    ),
  })),
];

export class MemoryStore implements ImportStore {
  readonly stored = new Map<TrajectoryId, Trajectory>();

  async has(id: TrajectoryId): Promise<boolean> {
    return this.stored.has(id);
  }

  async add(trajectory: Trajectory): Promise<void> {
    this.stored.set(trajectory.id, trajectory);
  }

  get all(): readonly Trajectory[] {
    return [...this.stored.values()];
  }
}

export const POCKET_PLACE: ImportOptions['place'] = {
  ...{ kind: 'pocket', suite: POCKET, agent: 'compact' },
  screen: { width: 320, height: 240 },
};

export const NOW = Date.UTC(2026, 10, 20);

export async function imported(
  source: SourceFiles,
  changes: Partial<ImportOptions> = {},
): Promise<{ readonly report: ImportReport; readonly trajectories: readonly Trajectory[] }> {
  const store = new MemoryStore();
  const report = await importFrom(source, {
    ...{ screen: DEFAULT_SCREEN, instructionOf: () => undefined, now: NOW, place: POCKET_PLACE, store },
    ...changes,
  });
  return { report, trajectories: store.all };
}
