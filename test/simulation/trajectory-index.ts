// The index of a simulated store: what the real one answers to the store, from the files and journals of the simulated disk.

import type { TrajectoryId } from '../../runtime/core/ids.ts';
import { parsedJson } from '../../runtime/core/json.ts';
import type { TrajectoryHead } from '../../runtime/data/files/head.ts';
import {
  isMarked,
  type Mark,
  type Marked,
  marked,
  parseMark,
  UNMARKED,
} from '../../runtime/data/files/marks.ts';
import { idIn, LEDGER, MARKS, TRAJECTORIES, UNFINISHED } from '../../runtime/data/files/places.ts';
import { type LedgerLine, parseLedgerLine, summaryOf } from '../../runtime/data/files/summary.ts';
import { decodeHead } from '../../runtime/data/files/trajectory-file.ts';
import type { IndexedTrajectory, TrajectoryIndex } from '../../runtime/data/index/queries.ts';
import type { StoreMachine } from '../../runtime/data/store.ts';
import type { SimulatedDisk } from './disk.ts';

type StoreIndex = Awaited<ReturnType<StoreMachine['startIndex']>>;

export function indexOf(disk: SimulatedDisk, root: string): StoreIndex {
  const rows = new Map<TrajectoryId, IndexedTrajectory>();
  const marks = new Map<TrajectoryId, Marked>();
  const add = (head: TrajectoryHead, bytes: number) =>
    void rows.set(head.id, {
      ...summaryOf(head, bytes),
      ...(marks.get(head.id) ?? UNMARKED),
      instruction: head.instruction,
    });
  const mark = (one: Mark) => {
    const after = marked(marks.get(one.trajectory) ?? UNMARKED, one, one.who);
    marks.set(one.trajectory, after);
    const row = rows.get(one.trajectory);
    if (row !== undefined) rows.set(row.id, { ...row, ...after });
  };
  const deleted = new Map(ledgerIn(disk, root).map(({ id, deletedAt }) => [id, deletedAt]));
  for (const one of linesIn(disk, `${root}/${MARKS}`, parseMark)) mark(one);
  for (const path of trajectoryFiles(disk, root)) {
    const { head, bytes } = headIn(disk, path);
    if (head.endedAt <= (deleted.get(head.id) ?? Number.NEGATIVE_INFINITY)) disk.remove(path);
    else add(head, bytes);
  }
  const unused = () => Promise.reject(new Error('A simulated run does not ask this.'));
  const index: Partial<TrajectoryIndex> = {
    row: async id => rows.get(id),
    page: async () => ({
      rows: [...rows.values()].sort((a, b) => (b.newest ?? -1) - (a.newest ?? -1)).slice(0, 1),
      ...{ total: rows.size, upTo: 0 },
    }),
    rows: async ids => ids.flatMap(id => rows.get(id) ?? []),
    volume: async () => ({
      count: rows.size,
      bytes: [...rows.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    }),
    kept: async () =>
      [...rows.values()].map(row => ({ ...row, isMarked: isMarked(row), isInPool: row.isInPool === true })),
  };
  return {
    caughtUp: { read: rows.size, complaints: [] },
    index: index as TrajectoryIndex,
    call: async (name, takes) => {
      const change = takes as {
        readonly head: TrajectoryHead;
        readonly bytes: number;
        readonly mark: Mark;
        readonly lines: readonly LedgerLine[];
      };
      if (name === 'add') add(change.head, change.bytes);
      else if (name === 'mark') mark(change.mark);
      else if (name === 'forget') for (const { id } of change.lines) rows.delete(id);
      else await unused();
      return undefined as never;
    },
    close: async () => undefined,
  };
}

export const ledgerIn = (disk: SimulatedDisk, root: string): readonly LedgerLine[] =>
  linesIn(disk, `${root}/${LEDGER}`, parseLedgerLine);

export function linesIn<T>(
  disk: SimulatedDisk,
  path: string,
  parse: (value: unknown) => T | undefined,
): readonly T[] {
  const lines = disk.contentOf(path)?.toString('utf8').split('\n').slice(0, -1) ?? [];
  return lines.flatMap(line => parse(parsedJson(line)) ?? []);
}

/** Removes unfinished files, as the real index does. */
function trajectoryFiles(disk: SimulatedDisk, root: string): readonly string[] {
  const all = disk.filesBelow(root).filter(path => path.includes(`/${TRAJECTORIES}/`));
  for (const path of all) if (path.endsWith(UNFINISHED)) disk.remove(path);
  return all.filter(path => idIn(path) !== undefined && !path.endsWith(UNFINISHED));
}

function headIn(disk: SimulatedDisk, path: string) {
  const content = disk.contentOf(path) ?? Buffer.alloc(0);
  const head = decodeHead(content, path);
  if ('needs' in head) throw new RangeError(`The file '${path}' is truncated.`);
  return { head, bytes: content.length };
}
