// What a page in a panel and this host say to each other (webview/README.md). What comes from a page is checked here.

import * as z from 'zod';
import type { Message } from '../../runtime/protocol/daemon/messages.ts';

export const PANELS = ['training', 'trajectories', 'uncertain', 'annotate', 'desktops'] as const;
export type PanelName = (typeof PANELS)[number];

/** The rest of a place is the pages' own affair: it is handed on as it is. */
const place = z.looseObject({ panel: z.enum(PANELS) });
export type Place = z.infer<typeof place>;

export const fromPage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({
    kind: z.literal('request'),
    request: z.object({
      id: z.int().min(0),
      // Whoever has the connection greets.
      method: z.string().refine(method => method !== 'hello', 'The host says hello.'),
      params: z.unknown(),
    }),
  }),
  z.object({ kind: z.literal('retry') }),
  z.object({ kind: z.literal('open'), place }),
]);

export type Loss =
  | { readonly kind: 'refused' | 'gone'; readonly why: string }
  | { readonly kind: 'lost'; readonly again: number };

export type ToPage =
  | { readonly kind: 'connected'; readonly methods: readonly string[] }
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'frame'; readonly id: number; readonly payload: Uint8Array }
  | { readonly kind: 'show'; readonly place: Place };
