import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../runtime/core/virtual-clock.ts';
import type { CdpEvents } from '../../../../runtime/environments/web/browser/session.ts';
import { Navigations } from '../../../../runtime/environments/web/page/navigations.ts';

const FRAME = 'main frame';
/** Longer than any page is waited for. */
const LONG_MS = 60_000;

function openPage() {
  const listeners = new Map<string, ((params: unknown) => void)[]>();
  const clock = new VirtualClock();
  const navigations = new Navigations(
    {
      isOpen: true,
      send: () => Promise.reject(new Error('nothing is sent')),
      on: (event, listener) => {
        const call = listener as (params: unknown) => void;
        listeners.set(event, [...(listeners.get(event) ?? []), call]);
        return () => undefined;
      },
    },
    FRAME,
    clock,
  );
  const emit = (event: keyof CdpEvents, params: object = {}) => {
    for (const listener of listeners.get(event) ?? []) listener(params);
  };
  /** Whether it is over when so much time has passed. */
  const isOver = async (after: number) => {
    let over = false;
    void navigations.finished().then(() => {
      over = true;
    });
    await clock.run(clock.now() + after);
    return over;
  };
  return { navigations, clock, emit, isOver };
}

const begin = { frameId: FRAME, disposition: 'currentTab' };

test('a navigation lasts until its document has loaded', async () => {
  const { emit, isOver } = openPage();
  expect(await isOver(0)).toBe(true);
  emit('Page.frameRequestedNavigation', begin);
  expect(await isOver(1000)).toBe(false);
  emit('Page.frameStoppedLoading', { frameId: FRAME });
  expect(await isOver(0)).toBe(true);
});

test('a page that writes into its address meanwhile does not end it; one that only scrolls does', async () => {
  const { emit, isOver } = openPage();
  emit('Page.frameRequestedNavigation', begin);
  emit('Page.navigatedWithinDocument', { frameId: FRAME, navigationType: 'historyApi' });
  expect(await isOver(1000)).toBe(false);
  emit('Page.navigatedWithinDocument', { frameId: FRAME, navigationType: 'fragment' });
  expect(await isOver(0)).toBe(true);
});

test('a server that never answers is not waited for longer than a person would', async () => {
  const { navigations, emit, isOver } = openPage();
  emit('Page.frameRequestedNavigation', begin);
  expect(await isOver(LONG_MS)).toBe(true);
  expect(navigations.isUnderWay).toBe(false);
});

test('nor is a page that makes progress without end', async () => {
  const { emit, isOver, clock } = openPage();
  emit('Page.frameStartedLoading', { frameId: FRAME });
  const over = isOver(LONG_MS);
  void (async () => {
    for (let second = 0; second < LONG_MS / 1000; second++) {
      await clock.sleep(1000);
      emit('Runtime.executionContextCreated');
    }
  })();
  expect(await over).toBe(true);
});

test('a frame is waited for as well, but not for long', async () => {
  const { navigations, emit, isOver } = openPage();
  emit('Page.frameStartedLoading', { frameId: 'inner' });
  expect(navigations.isUnderWay).toBe(false);
  expect(navigations.isAnyUnderWay).toBe(true);
  expect(await isOver(1000)).toBe(false);
  emit('Page.frameStoppedLoading', { frameId: 'inner' });
  expect(await isOver(0)).toBe(true);
  emit('Page.frameStartedLoading', { frameId: 'inner' });
  expect(await isOver(3000)).toBe(true);
  expect(navigations.isAnyUnderWay).toBe(false);
});

test('a frame that is removed no longer loads', async () => {
  const { emit, isOver } = openPage();
  emit('Page.frameStartedLoading', { frameId: 'inner' });
  emit('Page.frameDetached', { frameId: 'inner' });
  expect(await isOver(0)).toBe(true);
});

test('the next step of a navigation comes, or is not waited for', async () => {
  const { navigations, clock, emit } = openPage();
  const step = navigations.progress();
  emit('Runtime.executionContextCreated');
  await step;
  const none = navigations.progress();
  await clock.run(LONG_MS);
  await none;
});

test('a navigation that the user refuses is over', async () => {
  const { emit, isOver } = openPage();
  emit('Page.frameRequestedNavigation', begin);
  emit('Page.javascriptDialogOpening', { type: 'beforeunload' });
  emit('Page.javascriptDialogClosed', { result: false });
  expect(await isOver(0)).toBe(true);
});

test('other answers end no navigation', async () => {
  const { emit, isOver } = openPage();
  emit('Page.frameRequestedNavigation', begin);
  emit('Page.javascriptDialogOpening', { type: 'beforeunload' });
  emit('Page.javascriptDialogClosed', { result: true });
  emit('Page.javascriptDialogOpening', { type: 'confirm' });
  emit('Page.javascriptDialogClosed', { result: false });
  expect(await isOver(0)).toBe(false);
});
