// The hosts of a run over several machines: one row each, a button that drains it, and the command with which another machine joins.

import type { HostState } from '../../runtime/protocol/daemon/hosts.ts';
import { isOver, type RunState } from '../../runtime/protocol/daemon/state.ts';
import { arrangeChildren, findElement, make } from '../shared/dom.ts';
import { DrainButton, type HostControlOptions } from '../shared/drain-button.ts';
import {
  HOST_LABELS,
  HOST_TITLES,
  hostCells,
  hostLine,
  hostsSummary,
  otherVersion,
  versionLabel,
} from '../shared/host-labels.ts';
import { JoinDialog } from './join-dialog.ts';
import { formatTime } from './labels.ts';

class HostRow {
  readonly element: HTMLElement;
  readonly #place = make('span', { class: 'faint', text: "The daemon's machine" });
  readonly #version = make('span');
  /** A narrow window has no columns for workers, latency and clock, and a phone for no number. */
  readonly #narrow = make('span', { class: 'faint narrow' });
  readonly #phone = make('span', { class: 'faint phone' });
  readonly #phase = make('span', { class: 'phase' });
  readonly #rate = make('span');
  readonly #share = make('span', { class: 'faint' });
  readonly #cells = { desktops: make('td'), workers: make('td') };
  readonly #times = { latency: make('td'), clock: make('td') };
  readonly #drain: DrainButton;

  constructor(name: string, options: HostControlOptions & { readonly next: HTMLElement }) {
    this.#drain = new DrainButton(name, options);
    const heading = make(
      'th',
      {},
      ...[make('span', { text: name }), this.#place, this.#version, this.#narrow, this.#phone],
    );
    heading.scope = 'row';
    this.element = make(
      'tr',
      {},
      ...[heading, make('td', {}, this.#phase), ...Object.values(this.#cells)],
      ...[make('td', {}, this.#rate, this.#share), ...Object.values(this.#times)],
      make('td', {}, this.#drain.element),
    );
  }

  show(host: HostState, all: readonly HostState[], isEnded: boolean): void {
    const { status, isLocal } = host;
    const { desktops, workers, rate, share, latency, clock } = hostCells(host, all);
    this.#place.hidden = !isLocal;
    this.#version.textContent = versionLabel(host, all);
    this.#version.className = otherVersion(host, all) === undefined ? 'faint' : 'other-version';
    this.#narrow.textContent = `Workers: ${workers}, latency: ${latency}, clock: ${clock}`;
    this.#phone.textContent = hostLine(host, all);
    this.#phase.textContent = HOST_LABELS[status];
    this.#phase.title = HOST_TITLES[status];
    this.#phase.dataset['phase'] = status;
    this.#cells.desktops.textContent = desktops;
    this.#cells.workers.textContent = workers;
    this.#rate.textContent = rate;
    this.#share.textContent = share === '' ? '' : ` ${share}`;
    this.#times.latency.textContent = latency;
    this.#times.clock.textContent = clock;
    this.#drain.show(host, isEnded);
  }
}

export class HostsSection {
  readonly #options: HostControlOptions;
  readonly #section = findElement('hosts', HTMLElement);
  readonly #title = findElement('hosts-title', HTMLHeadingElement);
  readonly #summary = findElement('hosts-summary', HTMLSpanElement);
  readonly #list = findElement('host-rows', HTMLTableSectionElement);
  readonly #lost = findElement('lost-hosts', HTMLParagraphElement);
  readonly #add = findElement('add-host', HTMLButtonElement);
  readonly #rows = new Map<string, HostRow>();

  constructor(options: HostControlOptions) {
    this.#options = options;
    const dialog = new JoinDialog(options);
    this.#add.addEventListener('click', () => dialog.open());
  }

  /** Hidden for a run on one machine. */
  show(state: RunState): void {
    const { hosts = [] } = state;
    const isEnded = isOver(state);
    this.#section.hidden = hosts.length === 0;
    this.#add.hidden = isEnded || !this.#options.link.supports('host.address');
    this.#summary.textContent = isEnded ? 'as last reported' : hostsSummary(hosts);
    const rows = hosts.map(host => {
      const row =
        this.#rows.get(host.name) ?? new HostRow(host.name, { ...this.#options, next: this.#title });
      this.#rows.set(host.name, row);
      row.show(host, hosts, isEnded);
      return row.element;
    });
    arrangeChildren(this.#list, rows);
    this.#showLost(isEnded ? [] : hosts.filter(({ status }) => status === 'lost'));
  }

  /** Screen readers announce each assignment. */
  #showLost(lost: readonly HostState[]): void {
    const text = lost
      .map(({ name, seenMs }) => `${name} has not answered since ${formatTime(seenMs)}.`)
      .concat(lost.length === 0 ? [] : ['Other hosts play its episodes again.'])
      .join(' ');
    this.#lost.hidden = text === '';
    if (this.#lost.textContent !== text) this.#lost.textContent = text;
  }
}
