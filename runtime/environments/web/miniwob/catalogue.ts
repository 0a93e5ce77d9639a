// The pages of MiniWoB++: how hard each is, what it needs, and how it scores. Established by reading all 130 pages of version 1.0.
// Pages do not describe themselves, so a page that is missing here gets the properties of `unknownPage`.

import type { Tier } from '../../suite.ts';

/** The kinds of actions that a person uses on a page. `timing`: the right moment matters. */
type Need = 'click' | 'type' | 'drag' | 'select' | 'hover' | 'scroll' | 'colour' | 'timing';

/**
 * binary: 1, or at most 0. partial: a fraction for a partly right answer. closeness: a fraction that falls with the distance from the right
 * answer and is rarely 1.
 */
type RewardKind = 'binary' | 'partial' | 'closeness';

export interface MiniwobPage {
  /** The name of its file without `.html`. */
  readonly page: string;
  readonly tier: Tier;
  readonly needs: readonly Need[];
  /** The step limit of an episode: at least twice the steps of a careful person. */
  readonly maxSteps: number;
  readonly reward: RewardKind;
  /** It draws other instances in the data mode `test` than in `train`. For other pages only the seeds differ. */
  readonly hasModes?: true;
  /** It changes without an action. Its clock stands still between actions. */
  readonly movesByClock?: true;
  /** Why equal seeds and actions can give different screens. */
  readonly varies?: string;
  /** Why the next episode needs the page to be loaded again. */
  readonly reload?: string;
}

type Extras = Partial<Pick<MiniwobPage, 'reward' | 'hasModes' | 'movesByClock' | 'varies' | 'reload'>>;

const page = (
  name: string,
  tier: Tier,
  needs: string,
  maxSteps: number,
  extras: Extras = {},
): MiniwobPage => ({
  page: name,
  tier,
  needs: needs.split(' ') as Need[],
  maxSteps,
  reward: 'binary',
  ...extras,
});

const PARTIAL: Extras = { reward: 'partial' };
const CLOSENESS: Extras = { reward: 'closeness' };
const MODES: Extras = { hasModes: true };
const CLOCK: Extras = { movesByClock: true };
const WHEEL: Extras = { ...CLOSENESS, reload: 'the colour wheel is made when the page is loaded' };

/** In the order of their names. */
const PAGES: readonly MiniwobPage[] = [
  page('ascending-numbers', 3, 'click', 10, PARTIAL),
  page('bisect-angle', 3, 'click', 6, CLOSENESS),
  page('book-flight', 4, 'click type scroll', 40),
  page('book-flight-nodelay', 4, 'click type scroll', 40),
  page('button-delay', 3, 'click timing', 10, { ...CLOCK, reward: 'partial' }),
  page('buy-ticket', 2, 'click', 4),
  page('chase-circle', 4, 'hover timing', 30, { ...CLOCK, reward: 'closeness' }),
  page('choose-date', 3, 'click', 30),
  page('choose-date-easy', 2, 'click', 8),
  page('choose-date-medium', 2, 'click', 10),
  page('choose-date-nodelay', 3, 'click', 30),
  page('choose-list', 2, 'click', 8),
  page('circle-center', 3, 'click', 6, CLOSENESS),
  page('click-button', 1, 'click', 4),
  page('click-button-sequence', 1, 'click', 4),
  page('click-checkboxes', 2, 'click', 14, PARTIAL),
  page('click-checkboxes-large', 3, 'click', 26, PARTIAL),
  page('click-checkboxes-soft', 3, 'click', 14, PARTIAL),
  page('click-checkboxes-transfer', 2, 'click', 14, { ...PARTIAL, ...MODES }),
  page('click-collapsible', 2, 'click', 6),
  page('click-collapsible-2', 3, 'click', 12),
  page('click-collapsible-2-nodelay', 3, 'click', 12),
  page('click-collapsible-nodelay', 2, 'click', 6),
  page('click-color', 1, 'click', 4),
  page('click-dialog', 1, 'click', 4),
  page('click-dialog-2', 1, 'click', 4),
  page('click-link', 1, 'click', 4),
  page('click-menu', 3, 'click hover', 12),
  page('click-menu-2', 2, 'click', 8),
  page('click-option', 2, 'click', 6),
  page('click-pie', 2, 'click', 6),
  page('click-pie-nodelay', 2, 'click', 6),
  page('click-scroll-list', 3, 'click type scroll', 16),
  page('click-shades', 3, 'click', 18),
  page('click-shape', 2, 'click', 4),
  page('click-tab', 1, 'click', 4),
  page('click-tab-2', 2, 'click', 10),
  page('click-tab-2-easy', 1, 'click', 4),
  page('click-tab-2-hard', 3, 'click', 16),
  page('click-tab-2-medium', 2, 'click', 6),
  page('click-test', 1, 'click', 4),
  page('click-test-2', 1, 'click', 4),
  page('click-test-transfer', 1, 'click', 4, MODES),
  page('click-widget', 1, 'click', 4),
  page('copy-paste', 2, 'click type', 12),
  page('copy-paste-2', 3, 'click type', 12),
  page('count-shape', 2, 'click', 4),
  page('count-sides', 2, 'click', 4),
  page('daily-calendar', 4, 'click type drag scroll', 20),
  page('drag-box', 2, 'drag click', 6),
  page('drag-circle', 2, 'drag click', 6),
  page('drag-cube', 4, 'drag click', 20, {
    varies: 'the cube turns by the speed of the mouse',
    reload: 'the loop that turns the cube never ends',
  }),
  page('drag-items', 2, 'drag', 4),
  page('drag-items-grid', 2, 'drag', 4),
  page('drag-shapes', 3, 'drag click', 12),
  page('drag-shapes-2', 3, 'drag click', 14, PARTIAL),
  page('drag-single-shape', 2, 'drag click', 6),
  page('drag-sort-numbers', 3, 'drag click', 14),
  page('draw-circle', 4, 'drag click', 8, PARTIAL),
  page('draw-line', 2, 'drag click', 6, PARTIAL),
  page('email-inbox', 3, 'click type', 20),
  page('email-inbox-delete', 2, 'click', 6),
  page('email-inbox-forward', 3, 'click type', 14),
  page('email-inbox-forward-nl', 3, 'click type', 14, MODES),
  page('email-inbox-forward-nl-turk', 3, 'click type', 20, MODES),
  page('email-inbox-important', 2, 'click', 6),
  page('email-inbox-nl-turk', 3, 'click type', 20, MODES),
  page('email-inbox-noscroll', 3, 'click type', 14),
  page('email-inbox-reply', 3, 'click type', 14),
  page('email-inbox-star-reply', 3, 'click type', 14),
  page('enter-date', 2, 'click type', 10),
  page('enter-password', 2, 'click type', 10),
  page('enter-text', 2, 'click type', 8),
  page('enter-text-2', 2, 'click type', 8),
  page('enter-text-dynamic', 2, 'click type', 8),
  page('enter-time', 2, 'click type', 10),
  page('find-greatest', 3, 'click', 10, PARTIAL),
  page('find-midpoint', 3, 'click', 6, CLOSENESS),
  page('find-word', 3, 'click type', 8),
  page('focus-text', 1, 'click', 4),
  page('focus-text-2', 1, 'click', 4),
  page('form-sequence', 3, 'drag click', 14),
  page('form-sequence-2', 2, 'click type', 10),
  page('form-sequence-3', 2, 'click', 8),
  page('generate-number', 2, 'click', 20),
  page('grid-coordinate', 1, 'click', 4),
  page('guess-number', 3, 'click type', 40),
  page('highlight-text', 2, 'select click', 6),
  page('highlight-text-2', 2, 'select click', 6),
  page('hot-cold', 4, 'hover click', 40, PARTIAL),
  page('hover-shape', 4, 'hover timing', 30, CLOCK),
  page('identify-shape', 1, 'click', 4),
  page('login-user', 2, 'click type', 12),
  page('login-user-popup', 3, 'click type', 16),
  page('moving-items', 4, 'click timing', 30, { ...CLOCK, reward: 'partial' }),
  page('multi-layouts', 3, 'click type', 16),
  page('multi-orderings', 3, 'click type', 16),
  page('navigate-tree', 3, 'click', 12),
  page('number-checkboxes', 4, 'click', 40),
  page('odd-or-even', 2, 'click', 10, PARTIAL),
  page('order-food', 3, 'click scroll', 24),
  page('phone-book', 3, 'click', 12, PARTIAL),
  page('read-table', 2, 'click type', 8),
  page('read-table-2', 3, 'click type', 12),
  page('resize-textarea', 2, 'drag click', 6),
  page('right-angle', 3, 'click', 6, CLOSENESS),
  page('scroll-text', 3, 'scroll type click', 16),
  page('scroll-text-2', 2, 'scroll click', 10),
  page('search-engine', 3, 'click type', 14),
  page('sign-agreement', 3, 'scroll type click', 24),
  page('simon-says', 3, 'click timing', 14, CLOCK),
  page('simple-algebra', 3, 'click type', 8),
  page('simple-arithmetic', 2, 'click type', 8),
  page('social-media', 3, 'click scroll', 16),
  page('social-media-all', 4, 'click scroll', 40),
  page('social-media-some', 4, 'click scroll', 40),
  page('stock-market', 3, 'click timing', 30, CLOCK),
  page('terminal', 3, 'click type', 14, { varies: 'it shows the date, and its cursor blinks' }),
  page('text-editor', 3, 'select click', 14, { reload: 'each editor leaves listeners in the document' }),
  page('text-transform', 3, 'click type', 8),
  page('tic-tac-toe', 3, 'click', 8),
  page('unicode-test', 1, 'click', 4),
  page('use-autocomplete', 3, 'click type', 12),
  page('use-autocomplete-nodelay', 3, 'click type', 12),
  page('use-colorwheel', 3, 'colour click', 12, WHEEL),
  page('use-colorwheel-2', 3, 'colour click', 12, WHEEL),
  page('use-slider', 3, 'drag click', 20),
  page('use-slider-2', 4, 'drag click', 30),
  page('use-spinner', 2, 'click', 24),
  page('visual-addition', 3, 'click type', 8),
];

const BY_NAME: ReadonlyMap<string, MiniwobPage> = new Map(PAGES.map(each => [each.page, each]));

/** A page that a user added to the folder. */
const unknownPage = (name: string): MiniwobPage => page(name, 2, 'click type', 20, PARTIAL);

/** The properties of a page of the user's folder. */
export const pageNamed = (name: string): MiniwobPage => BY_NAME.get(name) ?? unknownPage(name);

export const KNOWN_PAGES: readonly string[] = PAGES.map(each => each.page);

/** Why a page is not one of the deterministic pages of clicks and typing; undefined if it is one. */
export function whyNotClickAndType({ needs, varies }: MiniwobPage): string | undefined {
  if (varies !== undefined) return varies;
  const others = needs.filter(need => need !== 'click' && need !== 'type');
  return others.length === 0 ? undefined : `needs ${others.join(' and ')}`;
}

/** The score from which a closeness counts as a success: a person who aims with care reaches it. */
const CLOSE_ENOUGH = 0.9;

/** The score of an episode, from the raw reward of the page: −1 and other penalties are 0. */
export function scoreOf({ reward }: MiniwobPage, raw: number): number {
  if (!(raw > 0)) return 0;
  return raw >= (reward === 'closeness' ? CLOSE_ENOUGH : 1) ? 1 : raw;
}

/** The distribution that a page draws its instances from. */
export const DATA_MODES = ['train', 'test'] as const;

export type DataMode = (typeof DATA_MODES)[number];
