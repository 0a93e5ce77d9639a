// The heading above the desktops of one host: what it does, and a button that drains it.

import type { HostState } from '../../runtime/protocol/daemon/hosts.ts';
import { make } from '../shared/dom.ts';
import { DrainButton, type HostControlOptions } from '../shared/drain-button.ts';
import { HOST_LABELS, HOST_TITLES, hostLine, otherVersion, versionLabel } from '../shared/host-labels.ts';

export class HostHeading {
  readonly element: HTMLElement;
  readonly #phase = make('span', { class: 'phase' });
  readonly #line = make('span', { class: 'faint' });
  readonly #version = make('span', { class: 'other-version' });
  readonly #drain: DrainButton;

  constructor(name: string, options: HostControlOptions) {
    const title = make('h2', { text: name });
    title.tabIndex = -1;
    this.#drain = new DrainButton(name, { ...options, next: title });
    this.element = make(
      'div',
      { class: 'host-head' },
      ...[title, this.#phase, this.#line, this.#version, this.#drain.element],
    );
  }

  show(host: HostState, all: readonly HostState[]): void {
    const { status, isLocal } = host;
    this.#phase.textContent = HOST_LABELS[status];
    this.#phase.title = HOST_TITLES[status];
    this.#phase.dataset['phase'] = status;
    this.#line.textContent = [isLocal ? "the daemon's machine" : '', hostLine(host, all)]
      .filter(Boolean)
      .join(' · ');
    this.#version.textContent = otherVersion(host, all) === undefined ? '' : versionLabel(host, all);
    this.#drain.show(host, false);
  }
}
