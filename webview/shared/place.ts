// Reads and writes a panel's place: in the address of a browser, and in the state that an editor keeps. Pure.

import { type PanelPlace, panelPlace } from '../../runtime/protocol/panels.ts';

/** Undefined if the value is not a place: an old or foreign address is not an error. */
export const placeOf = (value: unknown): PanelPlace | undefined => panelPlace.safeParse(value).data;

/** '#/trajectories?run=…'. A token contains no slash, so an address of a place never looks like a token. */
export function hashOf({ panel, ...rest }: PanelPlace): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `#/${panel}${text === '' ? '' : `?${text}`}`;
}

export function placeInHash(hash: string): PanelPlace | undefined {
  const [panel, query = ''] = hash.replace(/^#\//, '').split('?');
  const { step, ...rest } = Object.fromEntries(new URLSearchParams(query));
  return placeOf({ ...rest, panel, ...(step !== undefined && { step: Number(step) }) });
}
