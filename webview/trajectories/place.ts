// Where the user is in the panel: the list, a comparison, one or two trajectories; and the position in the list. Pure.

import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import type { AgentPair } from './compare/state.ts';

/** The agents of a place with a comparison. */
export const comparedAgents = ({ agent, against }: PanelPlace): AgentPair | undefined =>
  agent === undefined || against === undefined ? undefined : [agent, against];

export function openedOf(place: PanelPlace): 'none' | 'one' | 'two' | 'comparison' {
  if (place.trajectory === undefined) return comparedAgents(place) === undefined ? 'none' : 'comparison';
  return place.beside === undefined ? 'one' : 'two';
}

export interface ListPosition {
  readonly top: number;
  readonly at: number | undefined;
}

/** Undefined if nothing valid is stored. */
export function parsePosition(stored: unknown): ListPosition | undefined {
  if (typeof stored !== 'object' || stored === null || !('top' in stored) || typeof stored.top !== 'number')
    return undefined;
  const at = 'at' in stored && typeof stored.at === 'number' ? stored.at : undefined;
  return { top: stored.top, at };
}
