import { expect, test } from 'vitest';
import type { CdpEvents, CdpSession } from '../../../../runtime/environments/web/browser/session.ts';
import { AccessibilityTrees } from '../../../../runtime/environments/web/page/accessibility-trees.ts';

function openTrees(send: (method: string) => Promise<unknown> = () => Promise.resolve({})) {
  const asked: unknown[] = [];
  const listeners = new Map<string, (params: unknown) => void>();
  const session = {
    isOpen: true,
    send: (method: string, params?: object) => {
      asked.push(params === undefined ? method : [method, params]);
      return send(method);
    },
    on: (event: string, listener: (params: unknown) => void) => {
      listeners.set(event, listener);
      return () => undefined;
    },
  };
  const emit = (event: keyof CdpEvents, params: object = {}) => listeners.get(event)?.(params);
  return { trees: new AccessibilityTrees(session as unknown as CdpSession), asked, emit };
}

const rootOf = (frameId: string) => ['Accessibility.getRootAXNode', { frameId }];

test('the tree of each document is asked for once, and none before', () => {
  const { trees, asked } = openTrees();
  expect(asked).toEqual([]);
  trees.keep('top', 1);
  trees.keep('top', 1);
  trees.keep('inner', 2);
  expect(asked).toEqual(['Accessibility.enable', rootOf('top'), rootOf('inner')]);
});

test('that of the next document of a frame is asked for, also where the browser uses a number again', () => {
  const { trees, asked, emit } = openTrees();
  trees.keep('top', 1);
  trees.keep('inner', 2);
  emit('Runtime.executionContextDestroyed', { executionContextId: 2 });
  trees.keep('top', 1);
  trees.keep('inner', 2);
  expect(asked.slice(3)).toEqual([rootOf('inner')]);
  emit('Runtime.executionContextsCleared');
  trees.keep('top', 1);
  expect(asked.slice(4)).toEqual([rootOf('top')]);
});

test('a browser that refuses is used without kept trees', async () => {
  const { trees } = openTrees(() => Promise.reject(new Error('refused')));
  trees.keep('top', 1);
  // Vitest fails for a rejection that nobody handles.
  await new Promise(resolve => setImmediate(resolve));
});
