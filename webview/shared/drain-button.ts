// The button that drains a host, after the user has confirmed it.

import type { HostState } from '../../runtime/protocol/daemon/hosts.ts';
import { confirmed } from './confirm.ts';
import { make } from './dom.ts';
import { canDrain } from './host-labels.ts';
import type { DaemonLink } from './link/link.ts';

/** For controls that send requests about hosts. */
export interface HostControlOptions {
  readonly link: DaemonLink;
  /** The run that the page shows. */
  readonly run: () => string | undefined;
  readonly failed: (error: unknown) => void;
}

interface DrainOptions extends HostControlOptions {
  /** Gets the focus when the button with the focus vanishes. */
  readonly next: HTMLElement;
}

export class DrainButton {
  readonly element = make('button', { class: 'quiet', text: 'Drain…' });
  readonly #link: DaemonLink;
  readonly #next: HTMLElement;

  constructor(host: string, { link, run, failed, next }: DrainOptions) {
    this.#link = link;
    this.#next = next;
    this.element.type = 'button';
    this.element.title = 'The host finishes its episodes and leaves the run';
    this.element.setAttribute('aria-label', `Drain… ${host}`);
    this.element.addEventListener('click', async () => {
      const [shown, isConfirmed] = [run(), await confirmed(questionAbout(host))];
      if (!isConfirmed || shown === undefined) return;
      this.element.setAttribute('aria-busy', 'true');
      await link.request('host.drain', { run: shown, host }).catch(failed);
      this.element.removeAttribute('aria-busy');
    });
  }

  /** Hidden for a host that cannot be drained, and where the daemon changes nothing. */
  show(host: HostState, isOver: boolean): void {
    const hadFocus = this.element === document.activeElement;
    this.element.hidden = isOver || !canDrain(host) || !this.#link.supports('host.drain');
    if (hadFocus && this.element.hidden) this.#next.focus({ preventScroll: true });
  }
}

const questionAbout = (host: string) => ({
  title: `Drain the host ${host}?`,
  text: 'It takes no new order, finishes its episodes, and leaves the run. It can join again later.',
  action: 'Drain the host',
});
