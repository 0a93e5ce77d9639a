// Waits until the reaction of a page to an input is over: the work that the input caused is done, images have loaded, animations with an end
// have ended, and nothing changed since all queued tasks ran.

/// <reference lib="dom" />
import { ASK_BUSY, FORGET_WORK } from './channel.ts';
import { windowsOf } from './windows.ts';

/** An animation that runs longer is decoration. */
const MAX_ANIMATION_MS = 2000;
/** The longest wait for a frame: a page that is not in front draws none. */
const MAX_FRAME_MS = 500;
/** A check waits so often, about 4 ms and a task of the page, for the end of the queued tasks. */
const MAX_WAITS_FOR_TASKS = 24;
/** A check that waits in vain counts as this many more. */
const CHECKS_OF_ENDLESS_TASKS = 16;
/** While a reaction goes on, in milliseconds. Each check takes processor time, so a long reaction is checked less often. */
const POLL_MS = 4;
const LATER_POLL_MS = 16;
/** Changes after so many checks come from the page itself, not from the input. */
const MAX_CHANGED_CHECKS = 25;
/** About 1.5 s. A reaction that takes longer is shown as it is then. */
const MAX_CHECKS = 112;

/** The queued tasks did not end during an earlier reaction. They do not count as work until they have ended once. */
let hasEndlessTasks = false;
let hasChanged = false;
new MutationObserver(() => {
  hasChanged = true;
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

/** Whether this document changed since the last call. */
export function takeChanged(): boolean {
  const found = hasChanged;
  hasChanged = false;
  return found;
}

/**
 * False if the reaction did not end; what goes on then is no longer waited for. The wait is counted in checks, because a busy machine delays
 * both these and the timers of the page.
 */
export async function settled(): Promise<boolean> {
  // A short animation can end before the first check, and its listeners are still to be called.
  let wasAnimated = windowsOf(window).some(hasAnimation);
  // Those of the listeners of the input itself.
  for (const each of windowsOf(window)) each.dartboard?.takeChanged();
  for (let checks = 0; ; checks++) {
    const haveEnded = await queuedTasks();
    if (!haveEnded) checks += CHECKS_OF_ENDLESS_TASKS;
    hasEndlessTasks &&= !haveEnded;
    const isAnimated = windowsOf(window).some(hasAnimation);
    // The listeners of the page are called with the next frame.
    if (wasAnimated && !isAnimated) await nextFrame();
    wasAnimated = isAnimated;
    // Meanwhile a frame can get a document of another origin, which this script cannot read.
    const windows = windowsOf(window);
    const isBusy = isAnimated || windows.some(isWorking) || !(haveEnded || hasEndlessTasks);
    const changed = windows.filter(each => each.dartboard?.takeChanged()).length;
    if (!isBusy && (changed === 0 || checks >= MAX_CHANGED_CHECKS)) return true;
    if (checks >= MAX_CHECKS) {
      hasEndlessTasks = !haveEnded;
      for (const each of windows) {
        each.dispatchEvent(new Event(FORGET_WORK));
        for (const image of loadingImages(each)) givenUp.add(image);
      }
      return false;
    }
    const pause = checks < MAX_CHANGED_CHECKS ? POLL_MS : LATER_POLL_MS;
    if (isBusy) await after(pause);
  }
}

/** In a frame of another origin; true at once where a frame around has the same origin, because that one waits for it. */
export const settledApart = async (): Promise<boolean> => window.frameElement !== null || settled();

/** Not a timer: pages can cancel timers by their numbers. */
const after = (milliseconds: number): Promise<unknown> =>
  window.scheduler.postTask(() => undefined, { delay: milliseconds });

let pendingDelay: Promise<unknown> | undefined;

/** At most POLL_MS: a wait that ended early leaves its delay to the next one. */
function pollDelay(): Promise<unknown> {
  pendingDelay ??= after(POLL_MS).finally(() => {
    pendingDelay = undefined;
  });
  return pendingDelay;
}

/** False if they did not end: a page can queue one after the other without end. A background task runs after all others. */
async function queuedTasks(): Promise<boolean> {
  let haveEnded = false;
  const last = window.scheduler.postTask(
    () => {
      haveEnded = true;
    },
    { priority: 'background' },
  );
  for (let waits = 0; waits < MAX_WAITS_FOR_TASKS && !haveEnded; waits++)
    await Promise.race([last, pollDelay()]);
  return haveEnded;
}

const nextFrame = (): Promise<unknown> =>
  Promise.race([new Promise(resolve => requestAnimationFrame(resolve)), after(MAX_FRAME_MS)]);

const hasAnimation = (of: Window): boolean => of.document.getAnimations().some(willEnd);

const isWorking = (of: Window): boolean =>
  !of.dispatchEvent(new Event(ASK_BUSY, { cancelable: true })) || loadingImages(of).length > 0;

/** Images that did not load in time. */
const givenUp = new WeakSet<HTMLImageElement>();

/** A lazy image may be far off the screen. */
const loadingImages = (of: Window): readonly HTMLImageElement[] =>
  [...of.document.images].filter(image => !image.complete && image.loading !== 'lazy' && !givenUp.has(image));

function willEnd({ playState, effect, currentTime }: Animation): boolean {
  if (playState !== 'running' || effect === null) return false;
  const { endTime } = effect.getComputedTiming();
  const left = Number(endTime) - Number(currentTime ?? 0);
  return left > 0 && left <= MAX_ANIMATION_MS;
}
