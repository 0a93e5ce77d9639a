// The page's table of contents: it finds a run to show, keeps up with it, and passes on what a person wants done with it.

import '../shared/strict.ts';
import type { Life } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import { need } from '../shared/dom.ts';
import { takeToken } from '../shared/token.ts';
import { showBooks } from './books.ts';
import { Chart } from './chart.ts';
import { listenToChoice, showChoice } from './choice.ts';
import { complain, listenToButtons, showHead } from './head.ts';
import { Link, type Loss } from './link.ts';
import { showModules } from './modules.ts';
import { showNotes } from './notes.ts';
import { runToShow } from './order.ts';
import { showTasks } from './tasks.ts';
import { span, timeOfDay } from './words.ts';

const connection = need('link', HTMLParagraphElement);
const main = need('main', HTMLElement);
const empty = need('empty', HTMLParagraphElement);
const lost = need('lost', HTMLDivElement);
const retry = need('retry', HTMLButtonElement);
const foot = need('foot', HTMLElement);
const keep = need('keep', HTMLInputElement);

const chart = new Chart();
let runs: readonly RunSummary[] = [];
let chosen: string | undefined;
let shown: string | undefined;
let state: RunState | undefined;
let heardAt = 0;
let isDrawing = false;
/** When it is tried again to connect; there while there is no connection. */
let again: number | undefined;

const link = new Link(takeToken(), {
  connected: () => attempt(begin),
  lost: loss => disconnected(loss),
  state: next => heard(next),
});

function attempt(doing: () => Promise<void>): void {
  doing().catch(complain);
}

async function begin(): Promise<void> {
  connected();
  shown = undefined;
  await link.ask('subscribe', { what: 'runs' });
  await Promise.all([refresh(), askLife()]);
}

/** Reads the list anew, and turns to the run that is to be shown. */
async function refresh(): Promise<void> {
  runs = await link.ask('runs.list', {});
  const wanted = runToShow(runs, chosen);
  showChoice(runs, wanted);
  empty.hidden = wanted !== undefined;
  empty.textContent = "There is no run yet. 'dartboard train' begins one, and it will show up here.";
  main.hidden = wanted === undefined;
  if (wanted === undefined || wanted === shown) return draw();
  if (shown !== undefined) await link.ask('unsubscribe', { what: { run: shown } });
  shown = wanted;
  await link.ask('subscribe', { what: { run: wanted } });
}

function heard(next: RunState): void {
  const known = runs.find(({ run }) => run === next.run);
  if (next.run === shown) {
    state = next;
    heardAt = Date.now();
    draw();
  }
  // The list has what a state has not: whether a run can be resumed.
  if (known?.status === next.status) return;
  runs = runs.map(each => (each.run === next.run ? { ...each, status: next.status } : each));
  attempt(refresh);
  attempt(askLife);
}

/** At most once a frame of the display, with the newest state. */
function draw(): void {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    if (state === undefined || state.run !== shown) return;
    showHead(state, runs.find(({ run }) => run === shown)?.canResume ?? false);
    chart.show(state);
    showModules(state);
    showBooks(state);
    showTasks(state);
    showNotes(state, Date.now());
  });
}

async function askLife(): Promise<void> {
  showLife(await link.ask('daemon.life', {}));
}

function showLife({ keepTraining, says }: Life): void {
  foot.hidden = false;
  keep.checked = keepTraining;
  need('life', HTMLParagraphElement).textContent = says;
}

function connected(): void {
  connection.dataset['link'] = 'connected';
  connection.textContent = 'Connected';
  again = undefined;
  lost.hidden = true;
  main.inert = false;
  foot.inert = false;
}

function disconnected(loss: Loss): void {
  connection.dataset['link'] = 'disconnected';
  connection.textContent = 'Disconnected';
  main.inert = true;
  foot.inert = true;
  const isRefused = loss.kind === 'refused';
  const asOf = heardAt === 0 ? '' : ` What you see is as of ${timeOfDay(heardAt)}.`;
  need('lost-title', HTMLElement).textContent = isRefused ? 'This page was not let in.' : 'Connection lost.';
  const why = isRefused ? loss.why : `Trying again by itself.${asOf}`;
  const text = need('lost-why', HTMLSpanElement);
  // It is read aloud when it changes: not at each attempt.
  if (text.textContent !== why) text.textContent = why;
  again = isRefused ? undefined : loss.again;
  showAgain();
  retry.hidden = isRefused;
  lost.hidden = false;
}

retry.addEventListener('click', () => link.open());
listenToChoice(run => {
  chosen = run;
  attempt(refresh);
});
listenToButtons(async deed => {
  if (shown !== undefined) await link.ask(deed, { run: shown });
});
keep.addEventListener('change', () => {
  link.ask('daemon.keepTraining', { keep: keep.checked }).then(showLife, complain);
});
function showAgain(): void {
  const seconds = again === undefined ? 0 : (again - Date.now()) / 1000;
  need('lost-again', HTMLSpanElement).textContent = seconds > 1 ? `Next in ${span(seconds)}.` : '';
}

// What is waited for grows older although nothing else changes.
setInterval(() => {
  showAgain();
  if (state !== undefined && !main.inert && state.run === shown) showNotes(state, Date.now());
}, 1000);
// Another printed address was opened in this tab: its token is another daemon's.
window.addEventListener('hashchange', () => location.reload());
