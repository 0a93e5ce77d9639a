// Replaces the clock of a page: its dates, timers, frames and animations go on only when they are told to. Runs in the world of a page, before
// the page's own scripts and after `main-world.ts`.

/// <reference lib="dom" />
import { type FakeMethod, withGlobal } from '@sinonjs/fake-timers';
import { CLOCK_KEY, type PageClock } from './channel.ts';

/** The date when the document begins, in milliseconds since 1970. Written before this script. */
declare const START_MS: number;

/** Animations are advanced in portions of a frame. */
const FRAME_MS = 16;
/** A browser also raises an interval of 0. Without this, no time would pass between two calls. */
const MIN_INTERVAL_MS = 1;

const REPLACED: FakeMethod[] = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'Intl'] as const),
  ...(['requestAnimationFrame', 'cancelAnimationFrame'] as const),
  ...(['requestIdleCallback', 'cancelIdleCallback'] as const),
];

/** A frame that is not on the screen draws none. */
const MAX_FRAME_MS = 500;
const drawn = window.requestAnimationFrame.bind(window);
const later = window.setTimeout.bind(window);
const nextFrame = (): Promise<unknown> =>
  new Promise(resolve => {
    drawn(resolve);
    later(resolve, MAX_FRAME_MS);
  });

const tasks = new MessageChannel();
const waitingTasks: (() => void)[] = [];
tasks.port1.onmessage = () => waitingTasks.shift()?.();

function nextTask(run: () => void): void {
  waitingTasks.push(run);
  tasks.port2.postMessage(undefined);
}

// The library waits for the tasks of the page between two timers. It prefers this to the timers of the browser, which take 4 ms.
Object.assign(window, { setImmediate: nextTask });
const clock = withGlobal(window).install({ now: START_MS, toFake: REPLACED });
Reflect.deleteProperty(window, 'setImmediate');
const { setInterval } = window;
Object.assign(window, {
  setInterval: (handler: TimerHandler, delay?: number, ...args: unknown[]) =>
    setInterval(handler, Math.max(MIN_INTERVAL_MS, Number(delay) || 0), ...args),
});
let began = START_MS;
performance.now = () => clock.now - began;

const stopped = new WeakSet<Animation>();

function stopAnimations(): readonly Animation[] {
  const animations = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
  for (const animation of animations) {
    if (animation.playState !== 'running') continue;
    animation.pause();
    if (!stopped.has(animation)) animation.currentTime = 0;
    stopped.add(animation);
  }
  return animations.filter(each => stopped.has(each));
}

/** Returns whether an animation ended. */
function advance(animations: readonly Animation[], milliseconds: number): boolean {
  let hasEnded = false;
  for (const animation of animations) {
    if (animation.playState !== 'paused') continue;
    const time = Number(animation.currentTime ?? 0) + milliseconds;
    const end = Number(animation.effect?.getComputedTiming().endTime ?? 0);
    if (time < end) animation.currentTime = time;
    else animation.finish();
    hasEnded ||= time >= end;
  }
  return hasEnded;
}

async function pass(milliseconds: number): Promise<void> {
  let animations = stopAnimations();
  for (let left = milliseconds; left > 0; left -= FRAME_MS) {
    const portion = Math.min(left, FRAME_MS);
    await clock.tickAsync(portion);
    // The listeners for the end of an animation are called with the next frame of the browser.
    if (advance(animations, portion)) await nextFrame();
    animations = stopAnimations();
  }
}

/** An action that a dialog interrupted goes on when the dialog closes, beside the next one. One after the other, none passes too much time. */
let passing: Promise<void> = Promise.resolve();

function passUntil(milliseconds: number): Promise<void> {
  const next = () => pass(milliseconds - clock.now);
  passing = passing.then(next, next);
  return passing;
}

const pageClock: PageClock = {
  now: () => clock.now,

  setDate(milliseconds) {
    clock.setSystemTime(milliseconds);
    began = milliseconds;
  },

  passUntil,

  async during(work) {
    let isDone = false;
    const result = (async () => work())().finally(() => {
      isDone = true;
    });
    // Awaited below.
    result.catch(() => undefined);
    await new Promise<void>(nextTask);
    while (!isDone) await pass(FRAME_MS);
    return result;
  },
};

Object.defineProperty(window, Symbol.for(CLOCK_KEY), { value: pageClock });
