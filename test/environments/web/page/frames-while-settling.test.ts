// A frame can be replaced within the call that settles and lists the page: the list may then be of the moment between its two documents.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import type { CdpSession } from '../../../../runtime/environments/web/browser/session.ts';
import { WindowClipboard } from '../../../../runtime/environments/web/page/clipboard.ts';
import { WebPage } from '../../../../runtime/environments/web/page/page.ts';
import { WORLD } from '../../../../runtime/environments/web/page/scripts.ts';

const MAIN = 'main frame';
const INNER = 'inner frame';

/** A page whose call number `calls` answers with one button of that name. `during` happens within each call. */
function openPage(during: (call: number, emit: (event: string, params: object) => void) => void) {
  const listeners = new Map<string, ((params: unknown) => void)[]>();
  const emit = (event: string, params: object) => {
    for (const listener of listeners.get(event) ?? []) listener(params);
  };
  let calls = 0;
  const session = {
    isOpen: true,
    send: (_method: string, params?: { readonly expression?: string }) => {
      if (!params?.expression?.includes('listElements')) return Promise.resolve({});
      calls += 1;
      during(calls, emit);
      const button = ['button', `call ${calls}`, '', '', 0, 0, 10, 10];
      const value = JSON.stringify({ goesOn: false, elements: [button], frames: [] });
      return Promise.resolve({ result: { value } });
    },
    on: (event: string, listener: (params: unknown) => void) => {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      return () => undefined;
    },
  };
  const page = new WebPage(session as unknown as CdpSession, {
    ...{ frame: MAIN, size: { width: 100, height: 100 } },
    ...{ clock: new VirtualClock(), clipboard: new WindowClipboard() },
  });
  emit('Runtime.executionContextCreated', {
    context: { id: 1, name: WORLD, auxData: { isDefault: false, frameId: MAIN } },
  });
  return { names: async () => (await page.list()).elements.map(({ name }) => name) };
}

test('a page without changes is listed once', async () => {
  expect(await openPage(() => undefined).names()).toEqual(['call 1']);
});

test('a page whose frame was replaced within the call is listed again', async () => {
  const page = openPage((call, emit) => {
    if (call > 1) return;
    emit('Page.frameRequestedNavigation', { frameId: INNER, disposition: 'currentTab' });
    emit('Page.frameStoppedLoading', { frameId: INNER });
  });
  expect(await page.names()).toEqual(['call 2']);
});

test('frames that are replaced without end are not waited for', async () => {
  const page = openPage((_call, emit) => {
    emit('Page.frameStartedLoading', { frameId: INNER });
    emit('Page.frameStoppedLoading', { frameId: INNER });
  });
  expect(await page.names()).toEqual(['call 2']);
});
