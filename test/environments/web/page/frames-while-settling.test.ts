// A frame can be replaced within the call that settles and lists the page: the list may then be of the moment between its two documents.

import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import type { CdpSession } from '../../../../runtime/environments/web/browser/session.ts';
import { WindowClipboard } from '../../../../runtime/environments/web/page/clipboard.ts';
import { WebPage } from '../../../../runtime/environments/web/page/page.ts';
import { WORLD } from '../../../../runtime/environments/web/page/scripts.ts';

const MAIN = 'main frame';
const INNER = 'inner frame';
const OTHER = 'frame of another origin';

/**
 * A page whose list number `calls` is one button of that name. `during` happens within each list, and as 0 while its frames settle before. It
 * can return the details of an exception that the list throws.
 */
function openPage(during: (call: number, emit: (event: string, params: object) => void) => unknown) {
  const listeners = new Map<string, ((params: unknown) => void)[]>();
  const emit = (event: string, params: object) => {
    for (const listener of listeners.get(event) ?? []) listener(params);
  };
  let calls = 0;
  const session = {
    isOpen: true,
    send: (_method: string, params?: { readonly expression?: string }) => {
      if (params?.expression?.includes('settledApart') && calls === 0) during(0, emit);
      if (!params?.expression?.includes('listElements')) return Promise.resolve({ result: {} });
      calls += 1;
      const exceptionDetails = during(calls, emit);
      if (exceptionDetails !== undefined) return Promise.resolve({ result: {}, exceptionDetails });
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
  for (const [id, frameId] of [MAIN, OTHER].entries())
    emit('Runtime.executionContextCreated', {
      context: { id, name: WORLD, auxData: { isDefault: false, frameId } },
    });
  return { names: async () => (await page.list()).elements.map(({ name }) => name) };
}

test('a page without changes is listed once', async () => {
  expect(await openPage(() => undefined).names()).toEqual(['call 1']);
});

test.each([
  { at: 1, when: 'within the call' },
  { at: 0, when: 'while its other frames settled' },
])('a page whose frame was replaced $when is listed again', async ({ at }) => {
  const page = openPage((call, emit) => {
    if (call !== at) return;
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

const THROWN = {
  text: 'Uncaught (in promise)',
  exception: { type: 'object', description: 'TypeError: no list' },
};

test('an exception of the script in the page is an error, not an empty page', async () => {
  await expect(openPage(() => THROWN).names()).rejects.toMatchObject({
    failure: { boundary: 'environment', message: expect.stringContaining('TypeError: no list') },
  });
});

test('an exception in a document that was replaced meanwhile is none of the page', async () => {
  const page = openPage((call, emit) => {
    if (call !== 1) return undefined;
    emit('Runtime.executionContextDestroyed', { executionContextId: 0 });
    emit('Runtime.executionContextCreated', {
      context: { id: 2, name: WORLD, auxData: { isDefault: false, frameId: MAIN } },
    });
    return THROWN;
  });
  expect(await page.names()).toEqual(['call 2']);
});
