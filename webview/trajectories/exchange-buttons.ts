// The buttons Import… and Export… of the list. Only an editor has them, because a browser cannot choose folders; a read-only daemon
// refuses both.

import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import { button } from '../shared/controls.ts';
import { make } from '../shared/dom.ts';
import type { PageHost } from '../shared/host.ts';

interface ExchangeButtonsOptions {
  /** The run or trajectory that the panel shows. */
  readonly target: () => Pick<PanelPlace, 'run' | 'trajectory'>;
  /** The user may have imported trajectories. */
  readonly imported: () => void;
}

export class ExchangeButtons {
  readonly element: HTMLElement;
  readonly #host: Pick<PageHost, 'exchange' | 'link'>;

  constructor(host: Pick<PageHost, 'exchange' | 'link'>, { target, imported }: ExchangeButtonsOptions) {
    this.#host = host;
    const bring = button({ text: 'Import…', title: 'Import trajectories of other programs' }, () => {
      host.exchange?.({ what: 'import' });
      imported();
    });
    const save = button(
      { text: 'Export…', title: 'Export the shown trajectory, or those of the run or folder' },
      () => {
        const { run, trajectory } = target();
        host.exchange?.({
          what: 'export',
          ...(run !== undefined && { run }),
          ...(trajectory !== undefined && { trajectory }),
        });
      },
    );
    this.element = make('div', { class: 'exchange' }, bring.element, save.element);
    this.element.hidden = true;
  }

  connected(): void {
    const { exchange, link } = this.#host;
    this.element.hidden =
      exchange === undefined ||
      !link.supports('trajectories.import') ||
      !link.supports('trajectories.export');
  }
}
