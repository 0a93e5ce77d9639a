// Where one is: which panel, and what is open in it. It stands in the address of a browser and in the state that an editor
// keeps, so that it survives reloads and can be handed from panel to panel. Pure.

import * as z from 'zod';

export const PANELS = ['training', 'trajectories', 'uncertain', 'annotate', 'desktops'] as const;
export type PanelName = (typeof PANELS)[number];

const place = z.object({
  panel: z.enum(PANELS),
  run: z.string().optional(),
  trajectory: z.string().optional(),
  step: z.coerce.number().int().min(0).optional(),
  /** A second one beside it. */
  beside: z.string().optional(),
  /** One that is watched closely. */
  desktop: z.string().optional(),
});

export interface Place {
  readonly panel: PanelName;
  readonly run?: string | undefined;
  readonly trajectory?: string | undefined;
  readonly step?: number | undefined;
  readonly beside?: string | undefined;
  readonly desktop?: string | undefined;
}

/** Undefined where it is none: an old or foreign address is no reason to complain. */
export const placeOf = (value: unknown): Place | undefined => place.safeParse(value).data;

/** '#/trajectories?run=…': a token has no slash, so the two are told apart. */
export function hashOf({ panel, ...rest }: Place): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `#/${panel}${text === '' ? '' : `?${text}`}`;
}

export function placeIn(hash: string): Place | undefined {
  const [panel, query = ''] = hash.replace(/^#\//, '').split('?');
  return placeOf({ ...Object.fromEntries(new URLSearchParams(query)), panel });
}
