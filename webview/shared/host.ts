// What holds the page: a browser, where it connects by itself and its place is the address; or an editor, which relays, opens the
// other panels as tabs of its own and keeps the page's state.

import {
  type HostMessage,
  PANELS,
  type PageMessage,
  type PanelName,
  type PanelPlace,
} from '../../runtime/protocol/panels.ts';
import { HostLink } from './link/host-link.ts';
import type { DaemonLink, LinkListener } from './link/link.ts';
import { SocketLink } from './link/socket-link.ts';
import { hashOf, placeInHash, placeOf } from './place.ts';
import { takeToken } from './token.ts';

export interface Host {
  readonly link: DaemonLink;
  /** There in an editor: this page is that panel and no other. */
  readonly only: PanelName | undefined;
  /** Where it was when it was last shown. */
  readonly place: PanelPlace | undefined;
  /** Remembers where one is; a new one can be gone back from. */
  moved(place: PanelPlace, isNew: boolean): void;
  /** Another panel than this page can show. */
  open(place: PanelPlace): void;
  /** What a panel keeps beside its place: filters, drafts. */
  read(name: string): unknown;
  keep(name: string, value: unknown): void;
}

export interface Heard extends LinkListener {
  /** Somebody wants to be shown that. */
  show(place: PanelPlace): void;
}

interface EditorApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare const acquireVsCodeApi: (() => EditorApi) | undefined;

export const findHost = (heard: Heard): Host =>
  typeof acquireVsCodeApi === 'undefined' ? inBrowser(heard) : inEditor(acquireVsCodeApi(), heard);

function inBrowser(heard: Heard): Host {
  const token = takeToken();
  window.addEventListener('popstate', () => {
    const place = placeInHash(location.hash);
    if (place !== undefined) heard.show(place);
    // Another printed address was opened in this tab: its token is another daemon's.
    else if (location.hash !== '') location.reload();
  });
  return {
    link: new SocketLink(token, heard),
    only: undefined,
    place: placeInHash(location.hash) ?? placeOf(parsed(sessionStorage.getItem(keyOf('place')))),
    moved(place, isNew) {
      sessionStorage.setItem(keyOf('place'), JSON.stringify(place));
      if (hashOf(place) === location.hash) return;
      if (isNew) history.pushState(null, '', hashOf(place));
      else history.replaceState(null, '', hashOf(place));
    },
    open: place => heard.show(place),
    read: name => parsed(sessionStorage.getItem(keyOf(name))),
    keep: (name, value) => sessionStorage.setItem(keyOf(name), JSON.stringify(value)),
  };
}

const keyOf = (name: string): string => `dartboard-${name}`;

function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Something else of this address wrote it: it is as good as nothing.
    return undefined;
  }
}

function inEditor(api: EditorApi, heard: Heard): Host {
  const link = new HostLink(message => api.postMessage(message), heard);
  const only = PANELS.find(panel => panel === document.body.dataset['panel']) ?? 'training';
  const found = api.getState();
  let state: Readonly<Record<string, unknown>> =
    typeof found === 'object' && found !== null ? Object.fromEntries(Object.entries(found)) : {};
  const keep = (name: string, value: unknown) => {
    state = { ...state, [name]: value };
    api.setState(state);
  };
  window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
    if (data.kind !== 'show') return link.receive(data);
    const place = placeOf(data.place);
    if (place !== undefined) heard.show(place);
  });
  // After whoever asked for the host has it.
  queueMicrotask(() => api.postMessage({ kind: 'ready' }));
  return {
    link,
    only,
    place: placeOf(state['place']),
    moved: place => keep('place', place),
    open: place => api.postMessage({ kind: 'open', place }),
    read: name => state[name],
    keep,
  };
}
