// The page's table of contents: which panel is shown where, and who hears of the connection, the runs and the keys.

import '../shared/strict.ts';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import { PANEL_TITLES, PANELS, type PanelName, type PanelPlace } from '../../runtime/protocol/panels.ts';
import { Annotate } from '../annotate/annotate.ts';
import { Desktops } from '../desktops/desktops.ts';
import { Alert } from '../shared/alert.ts';
import { button, choice } from '../shared/controls.ts';
import { make, need } from '../shared/dom.ts';
import { Frames } from '../shared/frames.ts';
import { findHost } from '../shared/host.ts';
import type { Around, Panel } from '../shared/panel.ts';
import { placeOf } from '../shared/place.ts';
import { newestFirst } from '../training/order.ts';
import { Training } from '../training/training.ts';
import { statusInWords } from '../training/words.ts';
import { Trajectories } from '../trajectories/trajectories.ts';
import { Uncertain } from '../uncertain/uncertain.ts';
import { Connection } from './connection.ts';
import { isForControl } from './keys.ts';
import { Scrolled } from './scrolled.ts';

const MAKERS: Readonly<Record<PanelName, (around: Around) => Panel>> = {
  training: around => new Training(around),
  trajectories: around => new Trajectories(around),
  uncertain: around => new Uncertain(around),
  annotate: around => new Annotate(around),
  desktops: around => new Desktops(around),
};

const stage = need('stage', HTMLElement);
const mishap = new Alert(need('mishap', HTMLDivElement), need('mishap-why', HTMLParagraphElement));
const complain = (error: unknown): void => mishap.show(error);
const ALL = '';

const panels = new Map<PanelName, Panel>();
/** Where one was in each panel: coming back, one is there again. */
const places = new Map<PanelName, PanelPlace>();
/** Undefined until it is known which there are. */
let runs: readonly RunSummary[] | undefined;
let isConnected = false;

const host = findHost({
  connected: () => {
    isConnected = true;
    connection.connected();
    mishap.connected();
    begin().catch(complain);
  },
  lost: loss => {
    isConnected = false;
    connection.lost(loss);
  },
  state: heard,
  show: place => go(place, true),
});
const connection = new Connection(() => host.link.retry());
const around: Around = { host, frames: new Frames(() => host.link), go, complain };
const scrolled = new Scrolled(stage, host);
const runChoice = choice('Run', run => go({ panel: here.panel, run: run === ALL ? undefined : run }, true));
let here: PanelPlace = host.place ?? { panel: 'training' };
if (host.only !== undefined) here = { ...here, panel: host.only };

async function begin(): Promise<void> {
  // All at once: what a panel shows first waits for nothing else.
  const subscribed = host.link.request('subscribe', { what: 'runs' });
  for (const panel of panels.values()) panel.connected();
  await Promise.all([subscribed, refresh()]);
}

async function refresh(): Promise<void> {
  const found = await host.link.request('runs.list', {});
  runs = found;
  showRuns();
  for (const panel of panels.values()) panel.runs(found);
}

function heard(state: RunState): void {
  connection.heard(Date.now());
  for (const panel of panels.values()) panel.heard(state);
  const known = runs?.find(({ run }) => run === state.run);
  if (runs === undefined || known?.status === state.status) return;
  // The list has what a state has not: whether a run can be resumed.
  runs = runs?.map(each => (each.run === state.run ? { ...each, status: state.status } : each));
  refresh().catch(complain);
}

function go(place: PanelPlace, isNew: boolean): void {
  if (host.only !== undefined && place.panel !== host.only) {
    host.open(place);
    return;
  }
  const isOther = place.panel !== here.panel;
  here = place;
  places.set(place.panel, place);
  host.moved(place, isNew);
  show();
  // A panel may know better where the keyboard goes on.
  if (isOther && !stage.contains(document.activeElement)) stage.focus();
}

function show(): void {
  const { panel: name } = here;
  const known = panels.get(name);
  const panel = known ?? MAKERS[name](around);
  panels.set(name, panel);
  const isEntered = stage.firstElementChild !== panel.element;
  if (isEntered) stage.replaceChildren(panel.element);
  document.title = `${PANEL_TITLES[name]} – Dartboard`;
  for (const link of nav.children)
    link.setAttribute(
      'aria-current',
      link instanceof HTMLElement && link.dataset['panel'] === name ? 'page' : 'false',
    );
  showRuns();
  panel.show(here);
  if (isEntered) scrolled.entered(name, panel.element);
  if (known !== undefined || !isConnected) return;
  if (runs !== undefined) panel.runs(runs);
  panel.connected();
}

/** The panel Training shows one run, the others may show what all have done; only what trains has desktops to show. */
function showRuns(): void {
  const options = newestFirst(runs ?? []).map(({ run, status }) => ({
    value: run,
    text: `${run} (${statusInWords(status).toLowerCase()})`,
  }));
  const isOne = here.panel === 'training';
  const first = { value: ALL, text: isOne ? 'The latest run' : 'All runs' };
  runChoice.element.hidden = here.panel === 'desktops' || options.length < (isOne ? 2 : 1);
  runChoice.show([first, ...options], here.run ?? ALL);
}

const nav = need('panels', HTMLElement);
for (const panel of PANELS) {
  const link = make('a', { text: PANEL_TITLES[panel] });
  link.href = `#/${panel}`;
  link.dataset['panel'] = panel;
  link.addEventListener('click', event => {
    event.preventDefault();
    go(places.get(panel) ?? { panel, run: here.run }, true);
  });
  nav.append(link);
}
document.body.dataset['alone'] = String(host.only !== undefined);
need('runs', HTMLDivElement).append(runChoice.element);
const close = button({ text: '✕', label: 'Close', kind: 'icon' }, () => mishap.hide());
need('mishap-close', HTMLDivElement).append(close.element);

document.addEventListener('keydown', event => {
  if (event.defaultPrevented || stage.inert || isForControl(event)) return;
  if (panels.get(here.panel)?.pressed(event)) event.preventDefault();
});

const kept = host.read('places');
for (const each of Array.isArray(kept) ? kept : []) {
  const place = placeOf(each);
  if (place !== undefined) places.set(place.panel, place);
}
// Runs are deleted and resumed elsewhere too.
window.addEventListener('focus', () => isConnected && refresh().catch(complain));
window.addEventListener('pagehide', () => host.keep('places', [...places.values()]));
go(here, false);
