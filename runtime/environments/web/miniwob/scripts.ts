// Expressions for the world of a page of MiniWoB++. They start an episode and read its state. The page's own start keeps leftovers of the
// last episode, such as open menus and typed text, so the second start in a document rebuilds its body first.

import { ASK_GOES_ON } from '../page/in-page/channel.ts';
import type { DataMode } from './catalogue.ts';

/** Far above the time of any episode, and below the largest delay of a timer. The desktop limits episodes by steps. */
const MAX_TIME_MS = 1e7;
const MAX_TEXT = 2000;

/**
 * The page shows the last reward, the time and the clicks beside the task, and a cover between episodes. The page's code needs these nodes,
 * so they stay in the document without being displayed: invisible, not clickable, and not in the accessibility tree. A page that is higher
 * than the window scrolls without a scroll bar, which would make it narrower.
 */
const HIDDEN = `
  #reward-display, #click-canvas, #sync-task-cover { display: none !important; }
  :root { scrollbar-width: none; }`;

/** Images that arrive later would change a screen that has settled. The styles name some that only a hovered element shows. */
const IMAGES = `
  const loaded = sources => Promise.all([...sources].map(async source => {
    const image = source instanceof Image ? source : new Image();
    if (image !== source) image.src = source;
    await image.decode().catch(() => undefined);
    return image;
  }));
  const imagesOfStyles = () => new Set([...document.styleSheets].flatMap(sheet => [...sheet.cssRules].flatMap(({ cssText }) =>
    [...cssText.matchAll(/url\\("([^"]+)"\\)/g)].map(found => new URL(found[1], sheet.href ?? location.href).href))));`;

/** Kept in the window under a symbol, which pages do not enumerate. A window without it has not started an episode of a task. */
const KEY = `Symbol.for('dartboard.miniwob')`;

/** The address of the page if it has started an episode, which a page that an agent has loaded again has not. */
export const STARTED_SCRIPT = `window[${KEY}] === undefined ? '' : location.href.split('#')[0]`;

const PREPARE = `
  const key = ${KEY};
  const lastTimer = () => { const id = setTimeout(() => {}, 0); clearTimeout(id); return id; };
  if (typeof core !== 'object' || typeof core.startEpisodeReal !== 'function' || core.cover_div === null)
    return { problem: 'it has no cover of MiniWoB++ after it was loaded' };
  let kept = window[key];
  const isFresh = kept === undefined;
  if (isFresh) {
    kept = { timer: lastTimer(), source: undefined };
    Object.defineProperty(window, key, { value: kept });
    // A page that the agent has loaded again has no listener: its episode is over.
    addEventListener('${ASK_GOES_ON}', event => WOB_DONE_GLOBAL === true || event.preventDefault());
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(HIDDEN)});
    kept.images = await loaded(imagesOfStyles());
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }`;

/** Everything that an episode can leave behind: timers, a pressed button, open widgets, the selection, the scroll position, the URL. */
const REBUILD = `
  if (!isFresh) {
    const source = kept.source ??= new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    core.EP_TIMER = core.CD_TIMER = null;
    document.activeElement?.blur?.();
    document.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
    const jq = window.jQuery;
    if (jq !== undefined) {
      jq.fx.stop();
      jq.timers.length = 0;
    }
    const newest = lastTimer();
    for (let id = kept.timer; id <= newest; id++) clearTimeout(id);
    kept.timer = newest;
    if (jq?.datepicker !== undefined) {
      jq(document).off('mousedown', jq.datepicker._checkExternalClick);
      jq.datepicker = new jq.datepicker.constructor();
    }
    getSelection().removeAllRanges();
    if (jq === undefined) document.body.replaceChildren();
    else jq(document.body).empty();
    for (const [of, as] of [[document.documentElement, source.documentElement], [document.body, source.body]]) {
      for (const { name } of [...of.attributes]) of.removeAttribute(name);
      for (const { name, value } of as.attributes) of.setAttribute(name, value);
    }
    document.body.append(...[...source.body.childNodes].map(node => document.importNode(node, true)));
    scrollTo(0, 0);
    history.replaceState(null, '', location.pathname + location.search);
    core.cover_div = null;
    core.clickTrackCtx = undefined;
    core.wob_latest = core.wob_scores = undefined;
    WOB_EPISODE_ID = 0;
    jq?.resetUniqueId?.();
    window.onload(new Event('load'));
  }`;

/** Returns `{ utterance }`, or `{ problem }` if the page cannot start. Equal arguments give equal episodes. */
export const startScript = (
  seed: number,
  mode: DataMode,
): string => `(async () => {${IMAGES}${PREPARE}${REBUILD}
  core.EPISODE_MAX_TIME = ${MAX_TIME_MS};
  core.setDataMode?.(${JSON.stringify(mode)});
  Math.seedrandom(${seed});
  core.startEpisodeReal();
  // It draws the time beside the task every second, which no agent sees.
  clearInterval(core.CD_TIMER);
  await loaded(document.images);
  if (WOB_TASK_READY !== true) return { problem: 'it was not ready after its start' };
  const said = core.getUtterance();
  const text = typeof said === 'string' ? said : said?.utterance;
  return { utterance: String(text).slice(0, ${MAX_TEXT}) };
})()`;

/**
 * Returns `{ isOver, reward }`. `reward` is without the page's bonus for speed. An agent can reload the page, or go to another one. That
 * page would start an episode of its own choice, so the episode of the task is over.
 */
export const STATE_SCRIPT = `(() => window[${KEY}] === undefined ? { isOver: true, reward: 0 } : {
  isOver: WOB_DONE_GLOBAL === true,
  reward: Number.isFinite(WOB_RAW_REWARD_GLOBAL) ? WOB_RAW_REWARD_GLOBAL : 0,
})()`;
