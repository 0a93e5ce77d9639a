// A run with a model agent: its learner, its servers and its cost. Hidden for the built-in policy.

import type { RunServerState, SpentState } from '../../runtime/protocol/daemon/model-run.ts';
import { isOver, type RunState } from '../../runtime/protocol/daemon/state.ts';
import { arrangeChildren, findElement, make } from '../shared/dom.ts';
import { costFigures, learnerFigures, PHASE_LABELS, PHASE_TITLES, serverCells } from './model-run-labels.ts';
import { ModuleCard } from './module-card.ts';

const section = findElement('model-run', HTMLElement);
const servers = findElement('servers', HTMLElement);
const serverRows = findElement('server-rows', HTMLTableSectionElement);
const reported = findElement('servers-reported', HTMLSpanElement);
const cost = findElement('cost', HTMLElement);
const costList = findElement('cost-figures', HTMLDListElement);

const learner = new ModuleCard(
  'Learner',
  'Updates the weights of the model',
  {},
  {
    place: ['Trained by'],
    model: ['Model'],
    step: ['Optimiser steps'],
    stepSeconds: ['Last step', 'Time of the last optimiser step'],
    batches: ['Batches in queue'],
  },
);
const problem = make('p', { class: 'complaint' });
problem.setAttribute('role', 'status');
learner.element.classList.add('learner');
learner.element.append(problem);
section.prepend(learner.element);

/** The row of a server, and a row below it for its problem. */
class ServerRow {
  readonly elements: readonly HTMLElement[];
  readonly #row: HTMLElement;
  readonly #model = make('span', { class: 'faint' });
  readonly #phase = make('span', { class: 'phase' });
  readonly #cells = { version: make('td'), inFlight: make('td'), latency: make('td'), replies: make('td') };
  readonly #problem = make('td', { class: 'faint' });
  readonly #problemRow = make('tr', { class: 'problem' }, this.#problem);

  constructor(name: string) {
    const heading = make('th', {}, make('span', { text: name }), this.#model);
    heading.scope = 'row';
    this.#row = make('tr', {}, heading, make('td', {}, this.#phase), ...Object.values(this.#cells));
    this.#problem.colSpan = this.#row.childElementCount;
    this.elements = [this.#row, this.#problemRow];
  }

  show(server: RunServerState): void {
    const { phase, model = '', problem = '' } = server;
    this.#model.textContent = model;
    this.#phase.textContent = PHASE_LABELS[phase];
    this.#phase.title = PHASE_TITLES[phase];
    this.#phase.dataset['phase'] = phase;
    this.#problem.textContent = problem;
    this.#problemRow.hidden = problem === '';
    const { version, inFlight, latency, replies } = serverCells(server);
    this.#cells.version.textContent = version;
    this.#cells.inFlight.textContent = inFlight;
    this.#cells.latency.textContent = latency;
    this.#cells.replies.textContent = replies;
  }
}

const rows = new Map<string, ServerRow>();

export function showModelRun(state: RunState): void {
  const { spent } = state;
  section.hidden = state.learner === undefined && state.servers === undefined && spent === undefined;
  learner.element.hidden = state.learner === undefined;
  servers.hidden = state.servers === undefined;
  cost.hidden = spent === undefined;
  if (state.learner !== undefined) learner.show({}, learnerFigures(state.learner));
  showProblem(state.learner?.problem);
  reported.textContent = isOver(state) ? 'as last reported' : '';
  showServers(state.servers ?? []);
  if (spent !== undefined) showCost(spent);
}

/** Screen readers announce each assignment. */
function showProblem(text = ''): void {
  problem.hidden = text === '';
  if (problem.textContent !== text) problem.textContent = text;
}

function showServers(all: readonly RunServerState[]): void {
  const shown = all.flatMap(server => {
    const row = rows.get(server.name) ?? new ServerRow(server.name);
    rows.set(server.name, row);
    row.show(server);
    return row.elements;
  });
  arrangeChildren(serverRows, shown);
}

function showCost(spent: SpentState): void {
  costList.replaceChildren(
    ...costFigures(spent).map(({ label, value, title }) =>
      make('div', { title }, make('dt', { text: label }), make('dd', { text: value })),
    ),
  );
}
