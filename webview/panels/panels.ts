// The entry of the page: creates the panels, navigates between them, and passes on connection, runs, states and keys.

import '../shared/zod-without-eval.ts';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import { PANEL_TITLES, PANELS, type PanelName, type PanelPlace } from '../../runtime/protocol/panels.ts';
import { AnnotatePanel } from '../annotate/annotate.ts';
import { DesktopsPanel } from '../desktops/desktops.ts';
import { RecordPanel } from '../record/record.ts';
import { refreshAges } from '../shared/age.ts';
import { Alert } from '../shared/alert.ts';
import { annotatorName } from '../shared/annotator.ts';
import { button, select } from '../shared/controls.ts';
import { findElement, make } from '../shared/dom.ts';
import { FrameCache } from '../shared/frame-cache.ts';
import { findHost } from '../shared/host.ts';
import type { Panel, PanelContext } from '../shared/panel.ts';
import { placeOf } from '../shared/place.ts';
import { statusLabel } from '../training/labels.ts';
import { newestFirst } from '../training/order.ts';
import { TrainingPanel } from '../training/training.ts';
import { TrajectoriesPanel } from '../trajectories/trajectories.ts';
import { UncertainPanel } from '../uncertain/uncertain.ts';
import { ConnectionBanner } from './connection-banner.ts';
import { Heartbeat } from './heartbeat.ts';
import { isHandledByControl, repeatsPress } from './keys.ts';
import { ScrollMemory } from './scroll-memory.ts';

const CREATE: Readonly<Record<PanelName, (context: PanelContext) => Panel>> = {
  training: context => new TrainingPanel(context),
  trajectories: context => new TrajectoriesPanel(context),
  uncertain: context => new UncertainPanel(context),
  annotate: context => new AnnotatePanel(context),
  desktops: context => new DesktopsPanel(context),
  record: context => new RecordPanel(context),
};

const panelArea = findElement('stage', HTMLElement);
const errorAlert = new Alert(
  findElement('mishap', HTMLDivElement),
  findElement('mishap-why', HTMLParagraphElement),
);
const showError = (error: unknown): void => errorAlert.show(error);
const ALL = '';

const panels = new Map<PanelName, Panel>();
/** The last place in each panel, to return to. */
const places = new Map<PanelName, PanelPlace>();
/** The name of the person that each panel has shown last. A field of a panel changes it for all. */
const signatures = new Map<PanelName, string>();
/** Undefined until the first reply. */
let runs: readonly RunSummary[] | undefined;
let isConnected = false;

const host = findHost({
  connected: () => {
    isConnected = true;
    connection.connected();
    heartbeat.setConnected(true);
    errorAlert.connected();
    loadAll().catch(showError);
  },
  lost: loss => {
    isConnected = false;
    heartbeat.setConnected(false);
    connection.lost(loss);
  },
  state: stateChanged,
  // Back and Forward of a browser have moved in its history already.
  show: place => go(place, false),
  signatureChanged: () => {
    for (const [name, panel] of panels) {
      signatures.set(name, annotatorName(host));
      panel.signatureChanged?.();
    }
  },
});
const connection = new ConnectionBanner(() => host.link.retry());
const heartbeat = new Heartbeat(
  () => host.link,
  (isResponsive, life) => {
    if (!isConnected) return;
    // What a panel asked for meanwhile has failed.
    if (connection.setResponsive(isResponsive)) {
      errorAlert.connected();
      loadAll().catch(showError);
    }
    // Another window or page may have set keep-training.
    if (life !== undefined) for (const panel of panels.values()) panel.lifeChanged?.(life);
  },
);
const context: PanelContext = { host, frames: new FrameCache(() => host.link), go, replace, showError };
const scrollMemory = new ScrollMemory(panelArea, host);
const runSelect = select('Run', run => go({ panel: here.panel, run: run === ALL ? undefined : run }, true));
let here: PanelPlace = host.place ?? { panel: 'training' };
if (host.onlyPanel !== undefined) here = { ...here, panel: host.onlyPanel };

async function loadAll(): Promise<void> {
  // In parallel: the first view of a panel waits for no other request.
  const subscribed = host.link.request('subscribe', { what: 'runs' });
  for (const panel of panels.values()) panel.connected();
  await Promise.all([subscribed, fetchRuns()]);
}

async function fetchRuns(): Promise<void> {
  const found = await host.link.request('runs.list', {});
  runs = found;
  showRunSelect();
  for (const panel of panels.values()) panel.runsChanged(found);
}

function stateChanged(state: RunState): void {
  connection.stateReceived(Date.now());
  for (const panel of panels.values()) panel.stateChanged(state);
  const listed = runs?.find(({ run }) => run === state.run);
  if (runs === undefined || listed?.status === state.status) return;
  // Only the list knows whether a run can be resumed, so it is fetched again.
  runs = runs?.map(each => (each.run === state.run ? { ...each, status: state.status } : each));
  fetchRuns().catch(showError);
}

function go(place: PanelPlace, isNew: boolean): void {
  if (host.onlyPanel !== undefined && place.panel !== host.onlyPanel) {
    host.open(place);
    return;
  }
  const isOther = place.panel !== here.panel;
  here = place;
  places.set(place.panel, place);
  host.setPlace(place, isNew);
  show();
  // A panel may have moved the keyboard focus itself.
  if (isOther && !panelArea.contains(document.activeElement)) panelArea.focus();
}

function replace(place: PanelPlace): void {
  places.set(place.panel, place);
  if (place.panel !== here.panel) return;
  here = place;
  host.setPlace(place, false);
}

/** A panel that was left, and still plays or loads, changes its own place without being shown again. */
const contextOf = (name: PanelName): PanelContext => ({
  ...context,
  go: (place, isNew) => (place.panel === name && here.panel !== name ? replace(place) : go(place, isNew)),
});

function show(): void {
  const { panel: name } = here;
  const existing = panels.get(name);
  const panel = existing ?? CREATE[name](contextOf(name));
  panels.set(name, panel);
  const isEntered = panelArea.firstElementChild !== panel.element;
  if (isEntered) panelArea.replaceChildren(panel.element);
  const who = annotatorName(host);
  if (isEntered && existing !== undefined && signatures.get(name) !== who) panel.signatureChanged?.();
  signatures.set(name, who);
  document.title = `${PANEL_TITLES[name]} – Dartboard`;
  for (const link of nav.children)
    link.setAttribute(
      'aria-current',
      link instanceof HTMLElement && link.dataset['panel'] === name ? 'page' : 'false',
    );
  showRunSelect();
  panel.show(here);
  if (isEntered) scrollMemory.entered(name, panel.element);
  if (existing !== undefined || !isConnected) return;
  if (runs !== undefined) panel.runsChanged(runs);
  panel.connected();
}

/** Training shows one run; the other panels can show all runs. Desktops always shows the run that trains, and Record no run. */
function showRunSelect(): void {
  const { run: chosen = ALL } = here;
  const options = newestFirst(runs ?? []).map(({ run, status }) => ({
    value: run,
    text: `${run} (${statusLabel(status).toLowerCase()})`,
  }));
  const isOne = here.panel === 'training';
  const isListed = options.some(({ value }) => value === chosen);
  // The other panels show only this run; Training shows the latest one instead.
  if (!isOne && !isListed && runs !== undefined && chosen !== ALL)
    options.push({ value: chosen, text: `${chosen} (deleted)` });
  const first = { value: ALL, text: isOne ? 'Latest run' : 'All runs' };
  runSelect.element.hidden =
    here.panel === 'desktops' || here.panel === 'record' || options.length < (isOne ? 2 : 1);
  runSelect.setOptions([first, ...options], isOne && !isListed ? ALL : chosen);
}

const nav = findElement('panels', HTMLElement);
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
document.body.dataset['alone'] = String(host.onlyPanel !== undefined);
findElement('runs', HTMLDivElement).append(runSelect.element);
const close = button({ text: '✕', label: 'Close', kind: 'icon' }, () => errorAlert.hide());
findElement('mishap-close', HTMLDivElement).append(close.element);

// Captured, so that no control acts before.
document.addEventListener(
  'keydown',
  event => {
    if (!repeatsPress(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
document.addEventListener('keydown', event => {
  if (event.defaultPrevented || panelArea.inert || isHandledByControl(event)) return;
  if (panels.get(here.panel)?.keyPressed(event)) event.preventDefault();
});

const kept = host.read('places');
for (const each of Array.isArray(kept) ? kept : []) {
  const place = placeOf(each);
  if (place !== undefined) places.set(place.panel, place);
}
setInterval(() => refreshAges(Date.now()), 60_000);
// Other windows may have deleted or resumed runs.
window.addEventListener('focus', () => isConnected && fetchRuns().catch(showError));
window.addEventListener('pagehide', () => host.keep('places', [...places.values()]));
go(here, false);
