// The answer to a file chooser while its page or its browser fails.

import { expect, test } from 'vitest';
import { browserError } from '../../../../runtime/environments/web/browser/connection.ts';
import { TabDialogs } from '../../../../runtime/environments/web/browser/dialogs.ts';
import type { CdpSession } from '../../../../runtime/environments/web/browser/session.ts';

const NO_REPLY = 'DOM.setFileInputFiles has no result: the browser did not reply in time.';

/** Answers a file chooser with one file. `meanwhile` happens while the browser has the file, then the command fails with this message. */
function answer(message: string, meanwhile: (emit: (event: string, params: object) => void) => void) {
  const listeners = new Map<string, (params: object) => void>();
  const emit = (event: string, params: object) => listeners.get(event)?.(params);
  const released: string[] = [];
  const session = {
    isOpen: true,
    send: async (method: string, params: { readonly objectId: string }) => {
      if (method === 'DOM.resolveNode') return { object: { objectId: 'field' } };
      if (method === 'Runtime.releaseObject') released.push(params.objectId);
      if (method !== 'DOM.setFileInputFiles') return {};
      meanwhile(emit);
      throw browserError(message);
    },
    on: (event: string, listener: (params: object) => void) => listeners.set(event, listener),
  };
  const dialogs = new TabDialogs(session as unknown as CdpSession, () => undefined);
  emit('Page.fileChooserOpened', { backendNodeId: 1 });
  return { done: dialogs.answer({ accept: true, files: ['/notes.txt'] }), released };
}

test('files that the browser did not take in time are an error, and the field is released', async () => {
  const { done, released } = answer(NO_REPLY, () => undefined);
  await expect(done).rejects.toMatchObject({ failure: { boundary: 'environment', message: NO_REPLY } });
  expect(released).toEqual(['field']);
});

test.each([
  'Cannot find context with specified id',
  'Could not find object with given id',
  'Could not find node with given id',
  'No node with given id found',
  'No node found for given backend id',
  'Node with given id does not belong to the document',
  'Node is not a file input element',
])('a field that is gone takes any answer: %s', async text => {
  const { done } = answer(`DOM.setFileInputFiles failed: ${text}`, () => undefined);
  expect(await done).toBeUndefined();
});

test('the browser need not reply while a listener of the field shows a dialog', async () => {
  const { done } = answer(NO_REPLY, emit =>
    emit('Page.javascriptDialogOpening', { type: 'alert', message: 'Too large' }),
  );
  expect(await done).toBeUndefined();
});
