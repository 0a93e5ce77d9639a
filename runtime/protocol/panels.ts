// The contract between a page and the editor that hosts it: the panels, a place within one, and the messages of both directions.
// In a browser there is no host, and the page connects to the daemon itself.

// Imported as a namespace so that a page's bundle omits the parts of zod that it does not use.
import * as z from 'zod';
import type { DaemonMessage } from './daemon/messages.ts';
import { DESKTOP_KINDS } from './desktop-kinds.ts';

export const PANELS = ['training', 'trajectories', 'uncertain', 'annotate', 'desktops', 'record'] as const;
export type PanelName = (typeof PANELS)[number];

export const PANEL_TITLES: Readonly<Record<PanelName, string>> = {
  training: 'Training',
  trajectories: 'Trajectories',
  uncertain: 'High-Entropy Steps',
  annotate: 'Annotate',
  desktops: 'Desktops',
  record: 'Record',
};

export const panelPlace = z.object({
  panel: z.enum(PANELS),
  run: z.string().optional(),
  trajectory: z.string().optional(),
  step: z.int().min(0).optional(),
  /** A second trajectory, shown beside the first. */
  beside: z.string().optional(),
  /** Two agents, compared. A trajectory that is opened from there returns there. In the panel Record: the agent to run, with the weights of `run`. */
  agent: z.string().optional(),
  against: z.string().optional(),
  /** One desktop, shown in full size. */
  desktop: z.string().optional(),
  /** The task to record, and the kind of its desktops; the instruction for an agent. */
  task: z.string().optional(),
  instruction: z.string().optional(),
  kind: z.enum(DESKTOP_KINDS).optional(),
});

/** Where the user is: a panel and what is open in it. */
export type PanelPlace = Readonly<z.infer<typeof panelPlace>>;

/** Why there is no connection to the daemon. */
export type ConnectionLoss =
  /** The daemon rejected the client and would reject it again; or no daemon runs until the user asks for one. */
  | { readonly kind: 'refused' | 'gone'; readonly why: string }
  /** The next attempt is at `again`, in milliseconds since 1970. */
  | { readonly kind: 'lost'; readonly again: number };

/** In characters: more than any report has. */
const MAX_SAVED_LENGTH = 8_000_000;

export const savedFile = z.object({
  /** Proposed to the user: an HTML file without a folder. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.html$/),
  text: z.string().max(MAX_SAVED_LENGTH),
});

/** A file that a page made, for the user to save. */
export type SavedFile = Readonly<z.infer<typeof savedFile>>;

/** What a page sends to its host. The host checks it. */
export const pageMessage = z.discriminatedUnion('kind', [
  /** The page listens. The host replies with `connected` or `lost`, and then with `show` if a place was requested. */
  z.object({ kind: z.literal('ready') }),
  /** A request to the daemon. The page chooses the id; the host must not mix ids of several pages. */
  z.object({
    kind: z.literal('request'),
    request: z.object({
      id: z.int().min(0),
      method: z.string().refine(method => method !== 'hello', 'The host sends hello, never a page.'),
      params: z.unknown(),
    }),
  }),
  /** Connect now, without waiting for the next attempt. */
  z.object({ kind: z.literal('retry') }),
  /** Open another panel. */
  z.object({ kind: z.literal('open'), place: panelPlace }),
  /** Ask the user for files to import, or for a format and a folder of an export. */
  z.object({
    kind: z.literal('exchange'),
    what: z.enum(['import', 'export']),
    run: z.string().optional(),
    trajectory: z.string().optional(),
  }),
  /** Ask the user for a place, and save this file there. */
  z.object({ kind: z.literal('save'), file: savedFile }),
  /** Sign the remarks of all panels with this name; empty for the name that the editor knows. */
  z.object({ kind: z.literal('sign'), who: z.string().max(100) }),
]);

export type PageMessage = z.infer<typeof pageMessage>;
/** Trajectories in or out, from the page that shows them. */
export type ExchangeRequest = Omit<Extract<PageMessage, { readonly kind: 'exchange' }>, 'kind'>;

/** What a host sends to a page. A page trusts its host, and still checks replies of the daemon where it uses them. */
export type HostMessage =
  /** The daemon answers these methods from now on. Earlier subscriptions are gone. */
  | { readonly kind: 'connected'; readonly methods: readonly string[] }
  | { readonly kind: 'lost'; readonly loss: ConnectionLoss }
  /** A reply or a state, as the daemon sent it. */
  | { readonly kind: 'message'; readonly message: DaemonMessage }
  /** The bytes that belong to the request with that id; they arrive before or after its reply. */
  | { readonly kind: 'frame'; readonly id: number; readonly payload: Uint8Array }
  /** Go to that place. The host does not send it when the user only returns to the panel. */
  | { readonly kind: 'show'; readonly place: PanelPlace }
  /** The name of the user for remarks, once a page is ready and when another page changes it. Empty if the user has typed none. */
  | { readonly kind: 'signed'; readonly who: string };
