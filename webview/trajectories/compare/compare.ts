// Two agents on the instances that both played: who solves more, at what cost, and on which tasks they differ.

import type { AgentComparisonResult, ListedAgent } from '../../../runtime/protocol/daemon/agents.ts';
import { PLAYED_PURPOSES } from '../../../runtime/protocol/daemon/agents.ts';
import type { DaemonParams } from '../../../runtime/protocol/daemon/messages.ts';
import type { TrajectoryList, TrajectoryRow } from '../../../runtime/protocol/daemon/trajectories.ts';
import { agentOptions } from '../../shared/agents.ts';
import { button, type SelectControl, select, spinner } from '../../shared/controls.ts';
import { make } from '../../shared/dom.ts';
import { messageOf } from '../../shared/errors.ts';
import type { DaemonLink } from '../../shared/link/link.ts';
import { emptyState, errorState } from '../../shared/placeholders.ts';
import { type AgentPair, headlineOf, type InstancePair, playedInstances } from './state.ts';
import { measureTable } from './table.ts';
import { partsLegend, taskList } from './tasks.ts';

/** The trajectories of one request. */
const PAGE_ROWS = 1000;

type Purpose = (typeof PLAYED_PURPOSES)[number];

const PURPOSES = [
  { value: '', text: 'All episodes' },
  { value: 'evaluate', text: 'Evaluations' },
  { value: 'collect', text: 'Collected episodes' },
  { value: 'train', text: 'Training rollouts' },
];

interface CompareOptions {
  readonly link: DaemonLink;
  back(): void;
  choose(agents: AgentPair): void;
  watch(instance: InstancePair): void;
  showError(error: unknown): void;
}

export class AgentComparisonView {
  readonly element = make('section', { class: 'comparison' });
  readonly #options: CompareOptions;
  readonly #body = make('div', { class: 'comparison-body' });
  readonly #selects: readonly [SelectControl, SelectControl];
  readonly #purposeSelect: SelectControl;
  readonly #title = make('h2', { text: 'Compare agents' });
  #agents: AgentPair | undefined;
  #listed: readonly ListedAgent[] = [];
  #run: string | undefined;
  #purpose: Purpose | undefined;
  #generation = 0;

  constructor(options: CompareOptions) {
    this.#options = options;
    this.#selects = [
      select('First agent', agent => this.#choose(0, agent)),
      select('Second agent', agent => this.#choose(1, agent)),
    ];
    this.#purposeSelect = select('Episodes', value => {
      this.#purpose = PLAYED_PURPOSES.find(each => each === value);
      this.#fetch();
    });
    this.#title.tabIndex = -1;
    const close = button({ text: '← List', title: 'Back to the list (Esc)', kind: 'icon' }, options.back);
    close.element.classList.add('close');
    const [first, second] = this.#selects;
    this.element.append(
      make('div', { class: 'tools' }, close.element),
      this.#title,
      make(
        'div',
        { class: 'filters' },
        first.element,
        make('span', { class: 'faint', text: 'against' }),
        second.element,
        this.#purposeSelect.element,
      ),
      this.#body,
    );
    this.#body.setAttribute('aria-live', 'polite');
  }

  /** Fetches the comparison if the agents or the run changed. */
  show(agents: AgentPair, run: string | undefined): void {
    const isSame = agents.every((agent, side) => agent === this.#agents?.[side]) && run === this.#run;
    this.#agents = agents;
    this.#run = run;
    this.#showOptions();
    if (!isSame) this.#fetch();
  }

  focus(): void {
    this.#title.focus();
  }

  setAgents(listed: readonly ListedAgent[]): void {
    this.#listed = listed;
    this.#showOptions();
  }

  /** Fetches the comparison again; one that is not shown, when it is shown again. */
  refresh(): void {
    if (this.element.hidden) this.#agents = undefined;
    else if (this.#agents !== undefined) this.#fetch();
  }

  #showOptions(): void {
    for (const [side, control] of this.#selects.entries()) {
      const agent = this.#agents?.[side] ?? '';
      control.setOptions(agentOptions(this.#listed, agent), agent);
    }
    this.#purposeSelect.setOptions(PURPOSES, this.#purpose ?? '');
  }

  /** Choosing the other agent again swaps the two. */
  #choose(side: 0 | 1, agent: string): void {
    if (this.#agents === undefined || this.#agents[side] === agent) return;
    const [first, second] = this.#agents;
    const other = side === 0 ? second : first;
    const rest = other === agent ? this.#agents[side] : other;
    this.#options.choose(side === 0 ? [agent, rest] : [rest, agent]);
  }

  #fetch(): void {
    const agents = this.#agents;
    if (agents === undefined) return;
    const generation = ++this.#generation;
    if (this.#body.childElementCount === 0) this.#body.replaceChildren(spinner('Comparing…'));
    const [first, second] = agents;
    const params: DaemonParams<'agents.compare'> = {
      agents: [first, second],
      ...(this.#purpose !== undefined && { purpose: this.#purpose }),
      ...(this.#run !== undefined && { run: this.#run }),
    };
    this.#options.link.request('agents.compare', params).then(
      result => {
        if (generation === this.#generation) this.#draw(result, agents);
      },
      (error: unknown) => {
        if (generation !== this.#generation) return;
        this.#body.replaceChildren(
          errorState('The agents could not be compared.', messageOf(error), () => this.#fetch()),
        );
      },
    );
  }

  #draw(result: AgentComparisonResult, agents: AgentPair): void {
    const headline = headlineOf(result);
    if (headline === undefined) {
      const remedy =
        'Let both agents play the same tasks with the same seeds, for example with `dartboard eval --agent NAME`. The choice of episodes above may exclude some.';
      this.#body.replaceChildren(emptyState('No instance that both agents played', remedy));
      return;
    }
    const { showError, watch } = this.#options;
    this.#body.replaceChildren(
      make('p', { class: 'finding', text: headline.title }),
      make('p', { class: 'faint', text: headline.detail }),
      measureTable(result),
      make(
        'h3',
        { text: 'Tasks' },
        make('span', {
          class: 'faint',
          text: ` largest difference first: points, ${agents[0]} minus ${agents[1]}`,
        }),
      ),
      partsLegend(agents),
      taskList(result.tasks, { agents, watch, showError, instances: task => this.#instances(task, agents) }),
    );
  }

  async #instances(task: string, agents: AgentPair): Promise<readonly InstancePair[]> {
    const filter = {
      tasks: [task],
      agents: [...agents],
      provenances: ['rollout' as const],
      ...(this.#purpose !== undefined && { purposes: [this.#purpose] }),
      ...(this.#run !== undefined && { run: this.#run }),
    };
    const rows: TrajectoryRow[] = [];
    for (let upTo: number | undefined; ; ) {
      const page: TrajectoryList = await this.#options.link.request('trajectories.list', {
        filter,
        ...{ sort: 'endedAt', descending: true, offset: rows.length, limit: PAGE_ROWS, upTo },
      });
      rows.push(...page.rows);
      upTo = page.upTo;
      if (page.rows.length < PAGE_ROWS) return playedInstances(rows, agents);
    }
  }
}
