// Annotating: the queue, which of it is looked at, what was decided, and what takes it back. Pure.

import * as z from 'zod';
import type { AnnotationQueue, QueueEntry } from '../../runtime/protocol/daemon/annotation.ts';
import {
  type AnnotationMarks,
  type AnnotationRemark,
  remark,
} from '../../runtime/protocol/daemon/remarks.ts';

/** What was said last, and what brings back what held before. */
export interface Undo {
  readonly trajectory: string;
  readonly remark: AnnotationRemark;
  readonly says: string;
}

export interface Annotating {
  /** Undefined until it arrives. */
  readonly queue: readonly QueueEntry[] | undefined;
  /** Of the whole queue, as the daemon counted it when it was fetched. */
  readonly total: number;
  readonly at: number;
  /** Of this sitting: true where it was accepted, false where it was rejected. */
  readonly decided: ReadonlyMap<string, boolean>;
  readonly undos: readonly Undo[];
  readonly trouble: string | undefined;
}

export const NOBODY_WAITS: Annotating = {
  queue: undefined,
  total: 0,
  at: 0,
  decided: new Map(),
  undos: [],
  trouble: undefined,
};

export type AnnotatingEvent =
  /** `wanted` is the one that was looked at before a reload. */
  | { readonly kind: 'arrived'; readonly queue: AnnotationQueue; readonly wanted: string | undefined }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'went'; readonly at: number }
  | {
      readonly kind: 'said';
      readonly trajectory: string;
      readonly remark: AnnotationRemark;
      readonly marked: AnnotationMarks;
      readonly undo: AnnotationRemark;
    }
  | { readonly kind: 'undone'; readonly undo: Undo; readonly marked: AnnotationMarks };

export function annotated(state: Annotating, event: AnnotatingEvent): Annotating {
  switch (event.kind) {
    case 'arrived': {
      const { waiting, total } = event.queue;
      const found = waiting.findIndex(({ row }) => row.trajectory === event.wanted);
      return { ...NOBODY_WAITS, undos: state.undos, queue: waiting, total, at: Math.max(0, found) };
    }
    case 'failed':
      return { ...state, trouble: event.why };
    case 'went':
      return { ...state, at: within(state, event.at) };
    case 'said': {
      const { trajectory, remark, undo } = event;
      const undos = [...state.undos, { trajectory, remark: undo, says: inWords(remark) }];
      const next = { ...withMarks(state, trajectory, event.marked), undos };
      if (remark.kind !== 'pool' || remark.isMember === null) return next;
      const decided = new Map(state.decided).set(trajectory, remark.isMember);
      // Whoever has gone elsewhere meanwhile stays there.
      const isHere = current(state)?.row.trajectory === trajectory;
      return { ...next, decided, at: isHere ? nextOpen({ ...next, decided }) : state.at };
    }
    case 'undone': {
      const { undo, marked } = event;
      const undos = state.undos.filter(each => each !== undo);
      const decided = new Map(state.decided);
      // Of a decision that was changed, the one before holds again.
      if (undo.remark.kind === 'pool' && undo.remark.isMember === null) decided.delete(undo.trajectory);
      else if (undo.remark.kind === 'pool') decided.set(undo.trajectory, undo.remark.isMember === true);
      const at = state.queue?.findIndex(({ row }) => row.trajectory === undo.trajectory) ?? -1;
      return { ...withMarks(state, undo.trajectory, marked), undos, decided, at: at < 0 ? state.at : at };
    }
  }
}

const within = ({ queue }: Annotating, at: number): number =>
  Math.min(Math.max(0, (queue?.length ?? 0) - 1), Math.max(0, at));

/** The next that waits, from here on and then from the start; here, where nobody waits any more. */
function nextOpen({ queue = [], at, decided }: Annotating): number {
  const isOpen = (index: number) => {
    const one = queue[index];
    return one !== undefined && !decided.has(one.row.trajectory);
  };
  for (let by = 1; by <= queue.length; by++) {
    const index = (at + by) % queue.length;
    if (isOpen(index)) return index;
  }
  return at;
}

function withMarks(state: Annotating, trajectory: string, marked: AnnotationMarks): Annotating {
  const queue = state.queue?.map(each =>
    each.row.trajectory === trajectory ? { ...each, row: { ...each.row, marked } } : each,
  );
  return { ...state, queue };
}

export const current = ({ queue, at }: Annotating): QueueEntry | undefined => queue?.[at];

/** All that were fetched are decided. */
export const isThrough = ({ queue, decided }: Annotating): boolean =>
  queue !== undefined && queue.length > 0 && queue.every(({ row }) => decided.has(row.trajectory));

/** Those that wait beyond what was fetched. */
export const beyond = ({ queue = [], total }: Annotating): number => Math.max(0, total - queue.length);

const undos = z.array(z.object({ trajectory: z.string(), remark, says: z.string() })).catch([]);

/** Whatever was kept of what was said. */
export const undosOf = (kept: unknown): readonly Undo[] => undos.parse(kept);

export function inWords(said: AnnotationRemark): string {
  switch (said.kind) {
    case 'pool':
      return said.isMember === null ? 'open again' : said.isMember ? 'accepted' : 'rejected';
    case 'verdict':
      return 'verdict';
    case 'key-step':
      return `step ${said.step + 1} ${said.isKey ? 'is' : 'is not'} a key step`;
    case 'trim':
      return said.part === null ? 'not trimmed any more' : `trimmed to ${stepsInWords(said.part)}`;
    case 'instruction':
      return 'instruction';
    case 'label':
      return 'label';
    case 'note':
      return 'note';
  }
}

const stepsInWords = ({ from, to }: NonNullable<AnnotationMarks['trim']>): string =>
  to - from === 1 ? `step ${to}` : `steps ${from + 1}–${to}`;

/**
 * The part that is left when it begins or ends at a step; null where that is all of it. A trim that would leave nothing gives way:
 * the other end moves out to the end of the trajectory.
 */
export function trimmed(
  before: AnnotationMarks['trim'],
  edge: 'from' | 'to',
  step: number,
  steps: number,
): NonNullable<AnnotationMarks['trim']> | null {
  const { from, to } = before ?? { from: 0, to: steps };
  const part =
    edge === 'from'
      ? { from: step, to: to > step ? to : steps }
      : { from: from <= step ? from : 0, to: step + 1 };
  return part.from === 0 && part.to === steps ? null : part;
}
