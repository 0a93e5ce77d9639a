// The clipboard of one window, shared by its tabs and dialogs. Their scripts note what is copied, and receive it before a paste
// (`in-page/clipboard.ts`).

import type { CdpSession } from '../browser/session.ts';
import { COPIED_BINDING } from './in-page/channel.ts';
import { WORLD } from './scripts.ts';

const EMPTY = '{}';

export class WindowClipboard {
  /** The texts by MIME type, as JSON. */
  json = EMPTY;

  /** In a new tab, before its page runs. */
  watch(session: CdpSession): void {
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === COPIED_BINDING) this.json = payload;
    });
    // The session may have ended.
    session
      .send('Runtime.addBinding', { name: COPIED_BINDING, executionContextName: WORLD })
      .catch(() => undefined);
  }

  empty(): void {
    this.json = EMPTY;
  }
}
