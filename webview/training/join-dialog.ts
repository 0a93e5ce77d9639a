// The dialog with the command that makes another machine a host. The command contains a secret, so it is fetched when it is asked for.

import type { HostAddress } from '../../runtime/protocol/daemon/hosts.ts';
import { make } from '../shared/dom.ts';
import type { HostControlOptions } from '../shared/drain-button.ts';
import { joinCommand } from '../shared/host-labels.ts';

export class JoinDialog {
  readonly #options: HostControlOptions;
  readonly #dialog: HTMLDialogElement;
  readonly #command = make('code');
  readonly #warning = make('p', { class: 'complaint' });
  /** Announced by screen readers. */
  readonly #done = make('p');

  constructor(options: HostControlOptions) {
    this.#options = options;
    const title = make('h2', { text: 'Add a host' });
    title.id = 'join-title';
    const about = make('p', {
      text: 'Run this command on a machine with the same version of Dartboard. Keep it secret: it lets a machine play for this run. --desktops and --policy set how many desktops and policy workers it runs.',
    });
    this.#command.tabIndex = 0;
    this.#command.setAttribute('role', 'textbox');
    this.#command.setAttribute('aria-readonly', 'true');
    this.#command.setAttribute('aria-label', 'Command that joins the run');
    this.#done.setAttribute('role', 'status');
    const copy = make('button', { class: 'primary', text: 'Copy' });
    const renew = make('button', {
      text: 'New token',
      title: 'Earlier commands stop working. Hosts that have joined stay',
    });
    for (const each of [copy, renew]) each.type = 'button';
    copy.addEventListener('click', () => this.#copy());
    renew.addEventListener('click', () => this.#renew());
    const form = make('form', { class: 'controls' }, copy, renew, make('button', { text: 'Close' }));
    form.method = 'dialog';
    this.#dialog = make(
      'dialog',
      { class: 'ask join' },
      ...[title, about, this.#command, this.#warning, this.#done, form],
    );
    this.#dialog.setAttribute('aria-labelledby', title.id);
    document.body.append(this.#dialog);
    // The secret does not stay in the page.
    this.#dialog.addEventListener('close', () => {
      this.#command.textContent = '';
    });
  }

  async open(): Promise<void> {
    const { link, run, failed } = this.#options;
    const shown = run();
    if (shown === undefined) return;
    try {
      this.#show(await link.request('host.address', { run: shown }));
      this.#done.textContent = '';
      this.#dialog.showModal();
    } catch (error) {
      failed(error);
    }
  }

  async #renew(): Promise<void> {
    const { link, run, failed } = this.#options;
    const shown = run();
    if (shown === undefined) return;
    try {
      const address = await link.request('host.newAddress', { run: shown });
      if (!this.#dialog.open) return;
      this.#show(address);
      this.#done.textContent = 'This is a new command. Earlier ones do not work any more.';
    } catch (error) {
      this.#dialog.close();
      failed(error);
    }
  }

  #show({ address, isLocalOnly }: HostAddress): void {
    this.#command.textContent = joinCommand(address);
    this.#warning.textContent = isLocalOnly
      ? "Only this machine reaches this address. For other machines, set 'fabric.listen' in dartboard.json to an address that they reach."
      : '';
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#command.textContent ?? '');
      this.#done.textContent = 'Copied.';
    } catch {
      // The browser may forbid it.
      getSelection()?.selectAllChildren(this.#command);
      this.#done.textContent = 'The command is selected. Copy it with the keyboard.';
    }
  }
}
