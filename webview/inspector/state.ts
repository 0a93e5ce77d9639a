// The state of the inspector: the trajectory, the selected frame, and the overlays. Pure.

import type { Element } from '../../runtime/protocol/daemon/screen.ts';
import type { StepDetail, TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { isFromModel } from './reply/turn.ts';

export interface InspectorState {
  /** The trajectory to show; undefined if none is open. */
  readonly id: string | undefined;
  readonly whole: TrajectoryDetail | undefined;
  /** The index of the frame: 0 is the start; the last frame follows the last step. */
  readonly at: number;
  readonly isPlaying: boolean;
  readonly withHeat: boolean;
  readonly withElements: boolean;
  /** The elements of this frame; null if none are recorded. */
  readonly elements: readonly Element[] | null | undefined;
  /** Why it could not be loaded. */
  readonly problem: string | undefined;
}

export const CLOSED_INSPECTOR: InspectorState = {
  id: undefined,
  whole: undefined,
  at: 0,
  isPlaying: false,
  withHeat: true,
  withElements: false,
  elements: undefined,
  problem: undefined,
};

/** The stored overlays; invalid values become the defaults. */
export const parseOverlays = (kept: unknown): Pick<InspectorState, 'withHeat' | 'withElements'> => {
  const of = (name: string, usual: boolean): boolean => {
    const found = Object.entries(typeof kept === 'object' && kept !== null ? kept : {}).find(
      ([key]) => key === name,
    );
    return typeof found?.[1] === 'boolean' ? found[1] : usual;
  };
  return { withHeat: of('withHeat', true), withElements: of('withElements', false) };
};

export type InspectorEvent =
  | { readonly kind: 'opened'; readonly id: string | undefined; readonly at: number | undefined }
  | { readonly kind: 'arrived'; readonly whole: TrajectoryDetail }
  | { readonly kind: 'failed'; readonly id: string; readonly why: string }
  | { readonly kind: 'went'; readonly at: number }
  | { readonly kind: 'stepped'; readonly by: number }
  /** The next step of the playback. */
  | { readonly kind: 'ticked' }
  | { readonly kind: 'toggled'; readonly what: 'play' | 'heat' | 'elements' }
  | {
      readonly kind: 'elements';
      readonly id: string;
      readonly at: number;
      readonly elements: readonly Element[] | null;
    };

export function reduceInspector(state: InspectorState, event: InspectorEvent): InspectorState {
  switch (event.kind) {
    case 'opened': {
      const { id, at } = event;
      if (id === state.id) return at === undefined ? state : atFrame(state, at);
      const kept = { withHeat: state.withHeat, withElements: state.withElements };
      return { ...CLOSED_INSPECTOR, ...kept, id, at: at ?? 0 };
    }
    case 'arrived': {
      if (event.whole.trajectory !== state.id) return state;
      return atFrame({ ...state, whole: event.whole, problem: undefined }, state.at);
    }
    case 'failed':
      return event.id === state.id ? { ...state, problem: event.why, isPlaying: false } : state;
    case 'went':
      return { ...atFrame(state, event.at), isPlaying: false };
    case 'stepped':
      return { ...atFrame(state, state.at + event.by), isPlaying: false };
    case 'ticked': {
      if (!state.isPlaying) return state;
      const next = atFrame(state, state.at + 1);
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

/** Clamps to the frames, once the trajectory has arrived. */
function atFrame(state: InspectorState, at: number): InspectorState {
  const within = Math.min(lastOf(state), Math.max(0, at));
  return within === state.at ? state : { ...state, at: within, elements: undefined };
}

const lastOf = ({ whole }: InspectorState): number =>
  whole === undefined ? Number.POSITIVE_INFINITY : whole.each.length;

function toggled(state: InspectorState, what: 'play' | 'heat' | 'elements'): InspectorState {
  if (what === 'heat') return { ...state, withHeat: !state.withHeat };
  if (what === 'elements') return { ...state, withElements: !state.withElements };
  if (state.isPlaying || state.whole === undefined) return { ...state, isPlaying: false };
  // At the end, playback starts over.
  const from = state.at === lastOf(state) ? 0 : state.at;
  return { ...atFrame(state, from), isPlaying: state.whole.each.length > 0 };
}

/** The step of this frame; undefined on the last frame. */
export const stepAt = ({ whole, at }: InspectorState): StepDetail | undefined => whole?.each[at];

/** The threshold of its last trained step, if any. */
export const thresholdOf = (whole: TrajectoryDetail): number | undefined =>
  whole.each.findLast(({ training }) => training !== undefined)?.training?.threshold;

/**
 * The maximum of the bars of uncertainty. The uncertainty of decisions is a share of its maximum. The entropy of a reply is in nats and
 * has none: the largest of the trajectory is at the top, but never below 1 nat.
 */
export const uncertaintyScale = ({ each }: Pick<TrajectoryDetail, 'each'>): number =>
  each.some(isFromModel)
    ? Math.max(1, ...each.flatMap(step => [uncertaintyOf(step) ?? 0, step.training?.threshold ?? 0]))
    : 1;

/** The uncertainty under the weights that trained, else under the weights that chose the step. */
export const uncertaintyOf = ({ training, chosen }: StepDetail): number | undefined =>
  training?.uncertainty ?? chosen?.uncertainty;
