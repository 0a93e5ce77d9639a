// What the inspector shows: a trajectory, one of its frames, and what is drawn on it. Pure: events in, the next state out.

import type { StepDetail, TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import type { Element } from '../../runtime/protocol/play.ts';

export interface Looking {
  /** Which one is wanted; undefined where none is. */
  readonly id: string | undefined;
  readonly whole: TrajectoryDetail | undefined;
  /** Of a frame: 0 is the start, and the last is what the last step left. */
  readonly at: number;
  readonly isPlaying: boolean;
  readonly withHeat: boolean;
  readonly withElements: boolean;
  /** Of the frame that is shown; null where that desktop had none. */
  readonly elements: readonly Element[] | null | undefined;
  /** Why it cannot be shown. */
  readonly trouble: string | undefined;
}

export const NOTHING: Looking = {
  id: undefined,
  whole: undefined,
  at: 0,
  isPlaying: false,
  withHeat: true,
  withElements: false,
  elements: undefined,
  trouble: undefined,
};

/** As they were chosen before; whatever was kept, they are one or the other. */
export const overlaysOf = (kept: unknown): Pick<Looking, 'withHeat' | 'withElements'> => {
  const of = (name: string, usual: boolean): boolean => {
    const found = Object.entries(typeof kept === 'object' && kept !== null ? kept : {}).find(
      ([key]) => key === name,
    );
    return typeof found?.[1] === 'boolean' ? found[1] : usual;
  };
  return { withHeat: of('withHeat', true), withElements: of('withElements', false) };
};

export type LookingEvent =
  | { readonly kind: 'opened'; readonly id: string | undefined; readonly at: number | undefined }
  | { readonly kind: 'arrived'; readonly whole: TrajectoryDetail }
  | { readonly kind: 'failed'; readonly id: string; readonly why: string }
  | { readonly kind: 'went'; readonly at: number }
  | { readonly kind: 'stepped'; readonly by: number }
  /** One step further, where it plays. */
  | { readonly kind: 'ticked' }
  | { readonly kind: 'toggled'; readonly what: 'play' | 'heat' | 'elements' }
  | {
      readonly kind: 'elements';
      readonly id: string;
      readonly at: number;
      readonly elements: readonly Element[] | null;
    };

export function looked(state: Looking, event: LookingEvent): Looking {
  switch (event.kind) {
    case 'opened': {
      const { id, at } = event;
      if (id === state.id) return at === undefined ? state : gone(state, at);
      const kept = { withHeat: state.withHeat, withElements: state.withElements };
      return { ...NOTHING, ...kept, id, at: at ?? 0 };
    }
    case 'arrived': {
      if (event.whole.trajectory !== state.id) return state;
      return gone({ ...state, whole: event.whole, trouble: undefined }, state.at);
    }
    case 'failed':
      return event.id === state.id ? { ...state, trouble: event.why, isPlaying: false } : state;
    case 'went':
      return { ...gone(state, event.at), isPlaying: false };
    case 'stepped':
      return { ...gone(state, state.at + event.by), isPlaying: false };
    case 'ticked': {
      if (!state.isPlaying) return state;
      const next = gone(state, state.at + 1);
      return next.at === lastOf(state) ? { ...next, isPlaying: false } : next;
    }
    case 'toggled':
      return toggled(state, event.what);
    case 'elements': {
      const isWanted = event.id === state.id && event.at === state.at;
      return isWanted ? { ...state, elements: event.elements } : state;
    }
  }
}

/** While it is still to come, wherever one wants; then within its frames. */
function gone(state: Looking, at: number): Looking {
  const within = Math.min(lastOf(state), Math.max(0, at));
  return within === state.at ? state : { ...state, at: within, elements: undefined };
}

const lastOf = ({ whole }: Looking): number =>
  whole === undefined ? Number.POSITIVE_INFINITY : whole.each.length;

function toggled(state: Looking, what: 'play' | 'heat' | 'elements'): Looking {
  if (what === 'heat') return { ...state, withHeat: !state.withHeat };
  if (what === 'elements') return { ...state, withElements: !state.withElements };
  if (state.isPlaying || state.whole === undefined) return { ...state, isPlaying: false };
  // From the end it plays again.
  const from = state.at === lastOf(state) ? 0 : state.at;
  return { ...gone(state, from), isPlaying: state.whole.each.length > 0 };
}

/** What was done on the frame that is shown; nothing on the last. */
export const stepAt = ({ whole, at }: Looking): StepDetail | undefined => whole?.each[at];

/** The threshold that its batches trained with, where any is known: the last, since it hardly moves. */
export const thresholdOf = (whole: TrajectoryDetail): number | undefined =>
  whole.each.findLast(({ training }) => training !== undefined)?.training?.threshold;

/** As training saw it where it has, else as it was when it was chosen. */
export const uncertaintyOf = ({ training, chosen }: StepDetail): number | undefined =>
  training?.uncertainty ?? chosen?.uncertainty;
