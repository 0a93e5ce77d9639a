// The state of the panel Annotate: the queue, the open entry, the decisions, and the undo steps. Pure.

import * as z from 'zod';
import type { AnnotationQueue, QueueEntry } from '../../runtime/protocol/daemon/annotation.ts';
import {
  type AnnotationMarks,
  type AnnotationRemark,
  remark,
} from '../../runtime/protocol/daemon/remarks.ts';

/** The remark that restores the marks before a remark. */
export interface UndoStep {
  readonly trajectory: string;
  readonly remark: AnnotationRemark;
  /** Who made the remark: each person has a vote of their own. */
  readonly who: string;
  readonly says: string;
}

export interface AnnotateState {
  /** Undefined until it arrives. */
  readonly queue: readonly QueueEntry[] | undefined;
  /** The length of the whole queue when it was fetched. */
  readonly total: number;
  readonly at: number;
  /** The decisions of this session: true if accepted, false if rejected. */
  readonly decided: ReadonlyMap<string, boolean>;
  readonly undos: readonly UndoStep[];
  readonly problem: string | undefined;
}

export const EMPTY_QUEUE: AnnotateState = {
  queue: undefined,
  total: 0,
  at: 0,
  decided: new Map(),
  undos: [],
  problem: undefined,
};

export type AnnotateEvent =
  /** `wanted` is the trajectory to open. */
  | { readonly kind: 'received'; readonly queue: AnnotationQueue; readonly wanted: string | undefined }
  | { readonly kind: 'failed'; readonly why: string }
  /** Another queue is being fetched. */
  | { readonly kind: 'cleared' }
  | { readonly kind: 'went'; readonly at: number }
  | {
      readonly kind: 'said';
      readonly trajectory: string;
      readonly remark: AnnotationRemark;
      readonly who: string;
      readonly marked: AnnotationMarks;
      readonly undo: AnnotationRemark;
    }
  | { readonly kind: 'undone'; readonly undo: UndoStep; readonly marked: AnnotationMarks }
  /** The trajectory of the step does not exist any more. */
  | { readonly kind: 'undoDropped'; readonly undo: UndoStep };

export function reduceAnnotate(state: AnnotateState, event: AnnotateEvent): AnnotateState {
  switch (event.kind) {
    case 'received': {
      const { waiting, total } = event.queue;
      const found = waiting.findIndex(({ row }) => row.trajectory === event.wanted);
      return { ...EMPTY_QUEUE, undos: state.undos, queue: waiting, total, at: Math.max(0, found) };
    }
    case 'failed':
      return { ...state, problem: event.why };
    case 'cleared':
      return { ...EMPTY_QUEUE, undos: state.undos };
    case 'went':
      return { ...state, at: within(state, event.at) };
    case 'said': {
      const { trajectory, remark, who, undo } = event;
      const undos = [...state.undos, { trajectory, remark: undo, who, says: remarkLabel(remark) }];
      const next = { ...withMarks(state, trajectory, event.marked), undos };
      if (remark.kind !== 'pool' || remark.isMember === null) return next;
      const decided = new Map(state.decided).set(trajectory, remark.isMember);
      // The user may have opened another entry meanwhile, and stays there.
      const isHere = currentEntry(state)?.row.trajectory === trajectory;
      return { ...next, decided, at: isHere ? nextOpen({ ...next, decided }) : state.at };
    }
    case 'undoDropped':
      return { ...state, undos: state.undos.filter(each => each !== event.undo) };
    case 'undone': {
      const { undo, marked } = event;
      const undos = state.undos.filter(each => each !== undo);
      const decided = new Map(state.decided);
      // Restores the previous decision, if there was one.
      if (undo.remark.kind === 'pool' && undo.remark.isMember === null) decided.delete(undo.trajectory);
      else if (undo.remark.kind === 'pool') decided.set(undo.trajectory, undo.remark.isMember === true);
      const at = state.queue?.findIndex(({ row }) => row.trajectory === undo.trajectory) ?? -1;
      return { ...withMarks(state, undo.trajectory, marked), undos, decided, at: at < 0 ? state.at : at };
    }
  }
}

const within = ({ queue }: AnnotateState, at: number): number =>
  Math.min(Math.max(0, (queue?.length ?? 0) - 1), Math.max(0, at));

/** The next undecided entry, from here and then from the start; the current one if none is left. */
function nextOpen({ queue = [], at, decided }: AnnotateState): number {
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

function withMarks(state: AnnotateState, trajectory: string, marked: AnnotationMarks): AnnotateState {
  const queue = state.queue?.map(each =>
    each.row.trajectory === trajectory ? { ...each, row: { ...each.row, marked } } : each,
  );
  return { ...state, queue };
}

export const currentEntry = ({ queue, at }: AnnotateState): QueueEntry | undefined => queue?.[at];

/** The vote of this person. */
export const ownVote = ({ queue }: AnnotateState, trajectory: string, who: string): boolean | undefined =>
  queue?.find(({ row }) => row.trajectory === trajectory)?.row.marked.votes?.find(vote => vote.who === who)
    ?.isMember;

/** Whether every fetched entry is decided. */
export const isAllDecided = ({ queue, decided }: AnnotateState): boolean =>
  queue !== undefined && queue.length > 0 && queue.every(({ row }) => decided.has(row.trajectory));

/** The number of entries that were not fetched. */
export const notFetched = ({ queue = [], total }: AnnotateState): number => Math.max(0, total - queue.length);

const undos = z
  .array(z.object({ trajectory: z.string(), remark, who: z.string(), says: z.string() }))
  .catch([]);

/** Parses the stored undo steps. */
export const parseUndos = (stored: unknown): readonly UndoStep[] => undos.parse(stored);

export function remarkLabel(said: AnnotationRemark): string {
  switch (said.kind) {
    case 'pool':
      return said.isMember === null ? 'undecided' : said.isMember ? 'accepted' : 'rejected';
    case 'verdict':
      return 'verdict';
    case 'key-step':
      return `step ${said.step + 1} ${said.isKey ? 'is' : 'is not'} a key step`;
    case 'trim':
      return said.part === null ? 'trim removed' : `trimmed to ${stepsInWords(said.part)}`;
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
 * The trim after its start or end moves to a step; null if it covers all steps. If nothing would be left, the other end moves to
 * the end of the trajectory.
 */
export function trimAt(
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
