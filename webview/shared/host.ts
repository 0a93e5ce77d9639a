// The environment of the page. A browser: the page connects to the daemon itself, and its place is in the address. An editor: the
// host relays requests, opens other panels as tabs, and stores the page's state.

import {
  type ExchangeRequest,
  type HostMessage,
  PANELS,
  type PageMessage,
  type PanelName,
  type PanelPlace,
  type SavedFile,
} from '../../runtime/protocol/panels.ts';
import { HostLink } from './link/host-link.ts';
import type { DaemonLink, LinkListener } from './link/link.ts';
import { SocketLink } from './link/socket-link.ts';
import { hashOf, placeInHash, placeOf } from './place.ts';
import { takeToken } from './token.ts';

export interface PageHost {
  readonly link: DaemonLink;
  /** In an editor: the one panel that this page shows. Undefined in a browser. */
  readonly onlyPanel: PanelName | undefined;
  /** The place where the page was last. */
  readonly place: PanelPlace | undefined;
  /** Stores the place; `isNew` adds an entry to the browser's history. */
  setPlace(place: PanelPlace, isNew: boolean): void;
  /** Opens a panel that this page cannot show. */
  open(place: PanelPlace): void;
  /** Lets the user save a file: a download in a browser, a dialog in an editor. */
  save(file: SavedFile): void;
  /** Imports or exports trajectories: an editor asks for files and folders. Absent in a browser, which cannot. */
  readonly exchange?: (request: ExchangeRequest) => void;
  /** State that survives a reload: filters, drafts. */
  read(name: string): unknown;
  keep(name: string, value: unknown): void;
  /** Keeps the name that remarks are signed with, under `SIGNATURE_KEY`. In an editor, all panels share it. */
  sign(who: string): void;
}

export const SIGNATURE_KEY = 'who';

export interface HostListener extends LinkListener {
  /** The user or the host asked for this place. */
  show(place: PanelPlace): void;
  /** The user changed the name for remarks in another panel of the editor. */
  signatureChanged(): void;
}

interface EditorApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare const acquireVsCodeApi: (() => EditorApi) | undefined;

export const findHost = (listener: HostListener): PageHost =>
  typeof acquireVsCodeApi === 'undefined' ? inBrowser(listener) : inEditor(acquireVsCodeApi(), listener);

function inBrowser(listener: HostListener): PageHost {
  const token = takeToken();
  window.addEventListener('popstate', () => {
    const place = placeInHash(location.hash);
    if (place !== undefined) listener.show(place);
    // The user opened the address of another daemon in this tab: the page needs its token.
    else if (location.hash !== '') location.reload();
  });
  const keep = (name: string, value: unknown) =>
    sessionStorage.setItem(storageKey(name), JSON.stringify(value));
  return {
    link: new SocketLink(token, listener),
    onlyPanel: undefined,
    place: placeInHash(location.hash) ?? placeOf(parseStored(sessionStorage.getItem(storageKey('place')))),
    setPlace(place, isNew) {
      sessionStorage.setItem(storageKey('place'), JSON.stringify(place));
      if (hashOf(place) === location.hash) return;
      if (isNew) history.pushState(null, '', hashOf(place));
      else history.replaceState(null, '', hashOf(place));
    },
    open: place => listener.show(place),
    save: download,
    read: name => parseStored(sessionStorage.getItem(storageKey(name))),
    keep,
    sign: who => keep(SIGNATURE_KEY, who),
  };
}

function download({ name, text }: SavedFile): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/html' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address after this event.
  setTimeout(() => URL.revokeObjectURL(address));
}

const storageKey = (name: string): string => `dartboard-${name}`;

function parseStored(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Another program on this origin may have written it: ignore it.
    return undefined;
  }
}

function inEditor(api: EditorApi, listener: HostListener): PageHost {
  const link = new HostLink(message => api.postMessage(message), listener);
  const onlyPanel = PANELS.find(panel => panel === document.body.dataset['panel']) ?? 'training';
  const stored = api.getState();
  let state: Readonly<Record<string, unknown>> =
    typeof stored === 'object' && stored !== null ? Object.fromEntries(Object.entries(stored)) : {};
  const keep = (name: string, value: unknown) => {
    state = { ...state, [name]: value };
    api.setState(state);
  };
  window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
    if (data.kind === 'signed') {
      keep(SIGNATURE_KEY, data.who);
      listener.signatureChanged();
      return;
    }
    if (data.kind !== 'show') return link.receive(data);
    const place = placeOf(data.place);
    if (place !== undefined) listener.show(place);
  });
  // After the caller has received the host, since messages may arrive at once.
  queueMicrotask(() => api.postMessage({ kind: 'ready' }));
  return {
    link,
    onlyPanel,
    place: placeOf(state['place']),
    setPlace: place => keep('place', place),
    open: place => api.postMessage({ kind: 'open', place }),
    save: file => api.postMessage({ kind: 'save', file }),
    exchange: request => api.postMessage({ kind: 'exchange', ...request }),
    read: name => state[name],
    keep,
    sign: who => {
      keep(SIGNATURE_KEY, who);
      api.postMessage({ kind: 'sign', who });
    },
  };
}
