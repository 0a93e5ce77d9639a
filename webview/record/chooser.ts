// The start of a recording: the kind of desktops, the person's name, who acts, an instruction of one's own, and the list of tasks.

import type { KindOffer } from '../../runtime/protocol/daemon/desktops.ts';
import type { RecordedTask } from '../../runtime/protocol/daemon/record.ts';
import { type DesktopKind, KIND_TITLES } from '../../runtime/protocol/desktop-kinds.ts';
import { button, select, spinner, textArea, textField } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import { plural } from '../shared/labels.ts';
import { emptyState } from '../shared/placeholders.ts';
import type { RecordDrafts } from './drafts.ts';
import { type ChosenRecording, matching } from './state.ts';

interface ChooserOptions {
  readonly drafts: RecordDrafts;
  readonly chosenKind: (kind: DesktopKind) => void;
  readonly named: (who: string) => void;
  readonly start: (chosen: ChosenRecording) => void;
}

const BY_HAND = '';

const RUN_ANY = 'Run a random task';
const RUN_OWN = 'Run this instruction';
const NO_TASKS = 'These desktops have no tasks';
const HOW_TO =
  "Save task files in '.dartboard/tasks', in the folder of this kind of desktops, or choose another kind.";
/** More are found with the search field. */
const MAX_SHOWN = 200;

export class RecordChooser {
  readonly element: HTMLElement;
  readonly #options: ChooserOptions;
  readonly #kinds;
  readonly #name;
  readonly #actors;
  readonly #own;
  readonly #run;
  readonly #list = make('ul', { class: 'record-tasks' });
  readonly #count = make('p', { class: 'faint' });
  readonly #notes = make('div');
  #tasks: readonly RecordedTask[] = [];
  #agents: readonly string[] = [];
  #agent: string;
  #query: string;

  constructor(options: ChooserOptions) {
    this.#options = options;
    const { drafts } = options;
    const { agent: actor, own, query: searched } = drafts.choice;
    this.#agent = actor;
    this.#query = searched;
    this.#kinds = select('Kind of desktops', value => {
      const kind = Object.keys(KIND_TITLES).find((each): each is DesktopKind => each === value);
      if (kind !== undefined) options.chosenKind(kind);
    });
    this.#name = textField({ label: 'Your name', placeholder: 'Your name' }, options.named);
    this.#actors = select('Who acts', agent => {
      this.#agent = agent;
      drafts.choose({ agent });
      this.#render();
    });
    this.#run = button({ text: RUN_ANY, kind: 'primary' }, () => options.start(this.#chosen()));
    const search = textField({ label: 'Search tasks', placeholder: 'Search tasks' }, query => {
      this.#query = query;
      drafts.choose({ query });
      this.#render();
    });
    search.value = searched;
    this.#own = textArea(
      {
        label: 'Your own instruction (optional)',
        placeholder: 'Your own instruction (optional): you then say yourself whether it was done',
      },
      text => {
        drafts.choose({ own: text });
        this.#render();
      },
    );
    this.#own.value = own;
    this.#count.setAttribute('role', 'status');
    const settings = make(
      'div',
      { class: 'record-settings' },
      ...[this.#kinds.element, this.#name.element, this.#actors.element],
    );
    this.element = make(
      'section',
      { class: 'record-chooser' },
      make('h2', { text: 'Record a demonstration' }),
      make('p', {
        class: 'faint',
        text: 'Do a task by hand on a live desktop, or let an agent do it and correct it. If you solve it, every training in this folder learns from it.',
      }),
      ...[settings, this.#own.element, this.#run.element, search.element, this.#notes, this.#count],
      this.#list,
    );
  }

  setName(who: string): void {
    this.#name.value = who;
  }

  setKinds(offers: readonly KindOffer[], chosen: DesktopKind): void {
    // The configured kind stays selectable, even if it is not available: its error has the reason.
    const kinds = new Set<DesktopKind>([
      chosen,
      ...offers.filter(({ is }) => is === 'here').map(({ kind }) => kind),
    ]);
    this.#kinds.setOptions(
      [...kinds].map(kind => ({ value: kind, text: KIND_TITLES[kind] })),
      chosen,
    );
  }

  loading(): void {
    this.#tasks = [];
    this.#list.replaceChildren();
    this.#count.textContent = '';
    this.#notes.replaceChildren(spinner('Loading the tasks…'));
  }

  /** Replaces the list. */
  note(element: HTMLElement): void {
    this.#notes.replaceChildren(element);
  }

  show(tasks: readonly RecordedTask[], agents: readonly string[]): void {
    this.#tasks = tasks;
    this.#agents = agents;
    if (!agents.includes(this.#agent)) this.#agent = BY_HAND;
    this.#notes.replaceChildren(...(tasks.length === 0 ? [emptyState(NO_TASKS, HOW_TO)] : []));
    this.#render();
  }

  #chosen(task?: string): ChosenRecording {
    const instruction = this.#own.value.trim();
    return {
      ...(task !== undefined && { task }),
      ...(instruction !== '' && { instruction }),
      ...(this.#agent !== BY_HAND && { agent: this.#agent }),
    };
  }

  #render(): void {
    this.#actors.element.hidden = this.#agents.length === 0;
    this.#actors.setOptions(
      [
        { value: BY_HAND, text: 'I do it by hand' },
        ...this.#agents.map(agent => ({ value: agent, text: `Agent ${agent}` })),
      ],
      this.#agent,
    );
    const own = this.#own.value.trim();
    const found = matching(this.#tasks, this.#query);
    const hidden = found.length > MAX_SHOWN ? `; the first ${MAX_SHOWN} are listed` : '';
    const tasks = `${plural(found.length, 'task')}${hidden}`;
    this.#count.textContent =
      own === '' ? tasks : `Choose the task whose start fits your instruction: ${tasks}`;
    this.#run.element.hidden = this.#agent === BY_HAND;
    this.#run.setText(own === '' ? RUN_ANY : RUN_OWN);
    this.#list.replaceChildren(...found.slice(0, MAX_SHOWN).map(task => this.#item(task, own)));
  }

  #item({ task, tier, apps, example }: RecordedTask, own: string): HTMLElement {
    const verb = this.#agent === BY_HAND ? 'Record' : 'Run';
    const start = button({ text: own === '' ? verb : 'Start here', label: `${verb} ${task}` }, () =>
      this.#options.start(this.#chosen(task)),
    );
    const about = [`Tier ${tier}`, ...(apps.length > 0 ? [apps.join(', ')] : []), task].join(' · ');
    const text = make('div', {}, make('p', { text: example }), make('p', { class: 'faint', text: about }));
    return make('li', { class: 'record-task' }, text, start.element);
  }
}
