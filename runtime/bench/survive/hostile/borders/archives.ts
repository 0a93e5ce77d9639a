// Archives of strangers: zip files to import, stored trajectories, and a saved index.

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../../../core/rng.ts';
import type { Trajectory } from '../../../../core/trajectory.ts';
import { type ZipInput, zipped } from '../../../../core/zip-writer.ts';
import { INDEX } from '../../../../data/files/places.ts';
import {
  decodeHead,
  decodeTrajectory,
  encodeTrajectory,
  TrajectoryFileError,
} from '../../../../data/files/trajectory-file.ts';
import { ZipReader } from '../../../../data/files/zip.ts';
import { Catalogue } from '../../../../data/index/catalogue.ts';
import { POCKET } from '../../../../environments/pocket/tasks/suite.ts';
import { writeAgentNet } from '../../../../formats/agentnet/write.ts';
import { writeDart } from '../../../../formats/dart/write.ts';
import { DEFAULT_SCREEN } from '../../../../formats/episode.ts';
import { type ImportOptions, importFrom } from '../../../../formats/import.ts';
import { writeOsworld } from '../../../../formats/osworld/write.ts';
import { openSource } from '../../../../formats/source/open.ts';
import { SourceError } from '../../../../formats/source/source.ts';
import type { WrittenTrajectory } from '../../../../formats/written-files.ts';
import { type Border, bytesOfText, type OpenBorder, rejection, textOf } from '../border.ts';
import { chosen, damagedBytes, damagedJson, jsonText, oneIn } from '../damage.ts';
import { SAMPLE_PICTURES, SAMPLE_TRAJECTORY } from './samples.ts';

const filesOf = ({ files, lines }: WrittenTrajectory): readonly ZipInput[] => [
  ...files.map(({ place, bytes }) => ({ name: place, content: bytes })),
  ...lines.map(({ place, text }) => ({ name: place, content: bytesOfText(`${text}\n`) })),
];

const WRITE_OPTIONS = { screen: { width: 64, height: 48 }, domainOf: () => 'office' };
const EXPORTS: readonly (readonly ZipInput[])[] = [writeOsworld(new Set()), writeDart, writeAgentNet].map(
  write => filesOf(write(SAMPLE_TRAJECTORY, SAMPLE_PICTURES, WRITE_OPTIONS)),
);

const isJson = (name: string): boolean => /\.jsonl?$/.test(name);

/** Damages one line of JSON: the others stay as they are. */
function damagedContent({ name, content }: ZipInput, random: Random): Uint8Array {
  if (!isJson(name) || oneIn(5, random)) return damagedBytes(content, random);
  const lines = textOf(content)
    .split('\n')
    .filter(line => line !== '');
  const at = random.int(Math.max(1, lines.length));
  const isWhole = name.endsWith('.json');
  const parts = isWhole ? [textOf(content)] : lines;
  return bytesOfText(
    parts
      .map((part, index) =>
        isWhole || index === at ? jsonText(damagedJson(JSON.parse(part), random), random) : part,
      )
      .join('\n'),
  );
}

const NAMES = [
  ...['../../evil.json', '/etc/cron.d/evil.json', 'C:\\evil.json', 'a\\..\\b.json', './x.json', 'a//b.json'],
  ...['__proto__', 'constructor', 'a\u0000.json', `${'d/'.repeat(40)}x.json`, `${'n'.repeat(3000)}.json`, ''],
  ...['results/traj.jsonl', 'final_messages.json', 'agentnet.jsonl', 'step_0.png', 'result.txt'],
];

function damagedEntries(entries: readonly ZipInput[], random: Random): readonly ZipInput[] {
  const at = random.int(entries.length);
  const how = random.int(8);
  if (how === 0) return entries.toSpliced(at, 1);
  if (how === 1) return [...entries, ...entries.slice(at, at + 1)];
  return entries.map((entry, index) => {
    if (index !== at) return entry;
    return how === 2
      ? { ...entry, name: chosen(NAMES, random) }
      : { ...entry, content: damagedContent(entry, random), stored: oneIn(2, random) };
  });
}

/** Claims other sizes than the entries have, and compresses one byte a thousand times. */
function bomb(random: Random): Uint8Array {
  const size = chosen([1_000_000, 4_000_000, 16_000_000], random);
  const line = bytesOfText(chosen(['[', '{"a":', ' ', '"a",', '\n'], random));
  const content = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) content[at] = line[at % line.length] ?? 0;
  return zipped([{ name: chosen(['a.json', 'agentnet.jsonl', 'x/traj.jsonl'], random), content }]);
}
const BOMB_ONE_IN = 2000;

const zipInput = (entries: readonly ZipInput[], random: Random): Uint8Array => {
  if (oneIn(BOMB_ONE_IN, random)) return bomb(random);
  if (oneIn(3, random)) return damagedBytes(zipped(entries), random);
  return zipped(damagedEntries(entries, random));
};

async function openImports(): Promise<OpenBorder> {
  const folder = await inNewFolder();
  const path = join(folder, 'stranger.zip');
  return {
    take: async input => {
      await writeFile(path, input);
      const stored: Trajectory[] = [];
      let source: Awaited<ReturnType<typeof openSource>>;
      try {
        source = await openSource(path);
      } catch (error) {
        return rejection(error, SourceError);
      }
      try {
        const report = await importFrom(source, importOptions(stored));
        for (const each of stored) await decodeTrajectory(encodeTrajectory(each).bytes, 'stored.zip');
        return report.skipped.map(({ why }) => `${report.source}: ${why}`);
      } finally {
        await source.close();
      }
    },
    close: () => rm(folder, { recursive: true }),
  };
}

const importOptions = (stored: Trajectory[]): ImportOptions => ({
  ...{ screen: DEFAULT_SCREEN, instructionOf: () => undefined, now: SAMPLE_TRAJECTORY.endedAt },
  place: { ...{ kind: 'pocket', suite: POCKET, agent: 'compact' }, screen: { width: 320, height: 240 } },
  store: {
    has: async () => false,
    add: async trajectory => void stored.push(trajectory),
  },
});

const STORED = encodeTrajectory(SAMPLE_TRAJECTORY).bytes;
const STORED_ENTRIES = await storedEntries();

/** The entries of a stored trajectory, to damage one of them and to pack them again. */
async function storedEntries(): Promise<readonly ZipInput[]> {
  const zip = new ZipReader(STORED);
  const entries: ZipInput[] = [];
  for (const name of zip.names)
    entries.push({ name, content: (await zip.read(name)) ?? new Uint8Array(), stored: true });
  return entries;
}

function storedInput(random: Random): Uint8Array {
  if (oneIn(3, random)) return damagedBytes(STORED, random);
  // The first entry is the head, with most of what can be wrong.
  const at = oneIn(2, random) ? 0 : random.int(STORED_ENTRIES.length);
  return zipped(
    STORED_ENTRIES.map((entry, index) =>
      index === at ? { ...entry, content: damagedContent(entry, random) } : entry,
    ),
  );
}

const openStored = async (): Promise<OpenBorder> => ({
  take: async input => {
    try {
      decodeHead(input, 'stranger.zip');
      await decodeTrajectory(input, 'stranger.zip');
      return [];
    } catch (error) {
      return rejection(error, TrajectoryFileError);
    }
  },
  close: async () => undefined,
});

const inNewFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'dartboard-hostile-'));

const CHECKSUM_BYTES = 32;
const SAVED_INDEX = await savedIndex();

/** Without its checksum. */
async function savedIndex(): Promise<Uint8Array> {
  const folder = await inNewFolder();
  const catalogue = await Catalogue.open(folder);
  await catalogue.add(encodeTrajectory(SAMPLE_TRAJECTORY).head, STORED.length);
  await catalogue.save();
  await catalogue.close();
  const file = await readFile(join(folder, INDEX));
  await rm(folder, { recursive: true });
  return file.subarray(0, -CHECKSUM_BYTES);
}

/** The author of a hostile index computes its checksum. */
function indexInput(random: Random): Uint8Array {
  const damaged = damagedBytes(SAVED_INDEX, random);
  const checksum = createHash('sha256').update(damaged).digest();
  return Buffer.concat([damaged, oneIn(5, random) ? checksum.subarray(1) : checksum]);
}

/** A damaged index is made again from the files, so nothing may be rejected. */
async function openIndexes(): Promise<OpenBorder> {
  const folder = await inNewFolder();
  return {
    take: async input => {
      await writeFile(join(folder, INDEX), input);
      const catalogue = await Catalogue.open(folder);
      await catalogue.queries.page({ filter: {}, sort: 'newest', descending: true, offset: 0, limit: 10 });
      await catalogue.close();
      return [];
    },
    close: () => rm(folder, { recursive: true }),
  };
}

export const ARCHIVE_BORDERS: readonly Border[] = [
  {
    ...{ name: 'import-zip', inputs: 12_000, open: openImports },
    make: random => zipInput(chosen(EXPORTS, random), random),
  },
  { name: 'trajectory-file', inputs: 100_000, make: storedInput, open: openStored },
  { name: 'index', inputs: 3000, make: indexInput, open: openIndexes },
];
