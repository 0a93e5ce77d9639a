// The sections of docs/results.md about web desktops and MiniWoB++.

import type { FigureBar } from './format.ts';
import {
  type BenchPage,
  type FigureSpec,
  max,
  megabytes,
  milliseconds,
  min,
  number,
  type PictureSpec,
  picture,
  SOLVED,
  STEPS,
  share,
  times,
} from './page-spec.ts';

/** Of every training on pages of MiniWoB++. */
const MINIWOB_FIGURES: readonly FigureSpec[] = [
  number('steps_to_80', 'environment steps until 80 % of the test instances were solved'),
  number('episodes_broken', 'test episodes without a result', max(0)),
  megabytes('peak_rss_mb', 'peak memory of all processes together, the browser included'),
];
/** Of a training on many pages. */
const trainedPages = (
  bars: { readonly mean?: FigureBar; readonly reliable?: FigureBar; readonly pages?: FigureBar } = {},
): readonly FigureSpec[] => [
  share('success_mean', 'mean success of the pages', bars.mean),
  number('tasks_at_95', 'pages solved in at least 95 % of the instances', bars.reliable),
  number('tasks_at_0', 'pages that are never solved'),
  number('tasks_trained', 'pages', bars.pages),
  number('training_steps', 'environment steps of the training'),
  ...MINIWOB_FIGURES,
];
const miniwobPictures = (pages: string): readonly PictureSpec[] => [
  picture(
    ['success', `${pages}: success on test instances`, 'one policy for all pages, from random weights'],
    SOLVED,
    STEPS,
  ),
  picture(['by task', `${pages}: success by page`, '100 test instances of each page'], SOLVED),
];

const BELOW_DESKTOP = 'click, settle and screenshot of a page, below the desktop';

/** In the order of the document. */
export const WEB_PAGES: readonly BenchPage[] = [
  {
    name: 'web',
    title: 'Web desktops',
    about:
      'Pages of MiniWoB++ in one headless browser. A step of a desktop is a click, the wait until the page has settled, a screenshot of 160×210, and the list of all elements. The layer below makes the same without the elements; no desktop plays so. Playwright clicks and takes the screenshot by page.click and page.screenshot on 8 pages of the same browser program, in turns with Dartboard. Gymnasium is the environment of MiniWoB++ itself, with one process per core. Stale frames are counted on pages whose clicks react by timers, frames, promises, requests, workers and animations.',
    command: 'web --miniwob FOLDER',
    figures: [
      number('steps_per_s_8', `${BELOW_DESKTOP}: per second with 8 pages`, min(200)),
      number('elements_steps_per_s_8', 'steps per second with 8 desktops, which list all elements', min(150)),
      number('steps_per_s_1', `${BELOW_DESKTOP}: per second with 1 page`),
      number('elements_steps_per_s_1', 'steps per second with 1 desktop, which lists all elements'),
      times('vs_playwright', `${BELOW_DESKTOP}: against Playwright`, min(3)),
      times(
        'elements_vs_playwright',
        'steps of desktops, which list all elements, against Playwright, which lists none',
        min(3),
      ),
      times(
        'vs_playwright_mouse',
        `${BELOW_DESKTOP}: against Playwright that clicks at a point, without its checks of the element`,
      ),
      times('vs_playwright_mouse_our_flags', "the same with Dartboard's flags of the browser"),
      times(
        'vs_gymnasium',
        'steps of desktops, against one Gymnasium process per core, on the same pages',
        min(10),
      ),
      times('vs_gymnasium_one_process', 'the same per core, against one Gymnasium process on its page'),
      share('stale_frames', 'frames taken before the page had settled', max(0.001)),
      megabytes('memory_mb_24', 'memory of the browser with 24 pages', max(900)),
      milliseconds('ready_ms_p50', 'until a page is ready for its next instance, median', max(20)),
      milliseconds('ready_other_page_ms_p50', 'until another page is ready'),
      milliseconds('other_page_processor_ms', 'processor time of another page, all processes'),
      milliseconds('ready_new_context_ms_p50', 'until a page is ready in a new context'),
    ],
  },
  {
    name: 'miniwob',
    title: 'MiniWoB++',
    about:
      'One policy learns the deterministic pages of MiniWoB++ that need clicks and typing alone (75 of the 90: the measured copy lacks 15), from random weights, from rewards alone: no demonstrations, no relabelling, no scripts. Random decisions are guided by rules that are the same for every page. 100 test instances of each page, with the likeliest choices. A success is the full reward of the page.',
    command: 'miniwob --miniwob FOLDER',
    figures: [...trainedPages({ mean: min(0.6), reliable: min(40) })],
    pictures: miniwobPictures('MiniWoB++'),
  },
  {
    name: 'miniwob-pixels',
    title: 'MiniWoB++, pixels only',
    about:
      'The same pages, but the policy sees the instruction and the screenshot alone. Otherwise as above: from random weights, from rewards alone.',
    command: 'miniwob --pixels --miniwob FOLDER',
    figures: [...trainedPages()],
    pictures: miniwobPictures('Pixels only'),
  },
  {
    name: 'miniwob-demonstrations',
    title: 'MiniWoB++, with demonstrations',
    about:
      'The same pages as far as they have a scripted solution, with 10 demonstrations of each page by its script. 100 test instances of each page, with the likeliest choices.',
    command: 'miniwob --demonstrations --miniwob FOLDER',
    figures: [...trainedPages({ pages: min(20) })],
    pictures: miniwobPictures('Pages with demonstrations'),
  },
  {
    name: 'miniwob-published',
    title: 'MiniWoB++, ten pages',
    about:
      'One policy learns the ten pages for which a policy of 108,000 weights was published, after 3 million steps: click-test, click-test-2, click-test-transfer, click-dialog, click-dialog-2, focus-text-2 and click-checkboxes-transfer (100 % each), click-checkboxes-large (99 %), click-widget (94 %) and click-checkboxes-soft (63 %).',
    command: 'miniwob --published --miniwob FOLDER',
    figures: [
      number(
        'vs_published_108k',
        'pages solved at least as often as by the published policy, of ten',
        min(10),
      ),
      number('training_steps', 'environment steps of the training, all pages together', max(1_000_000)),
      share('success_mean', 'mean success of the ten pages'),
      number('tasks_at_95', 'pages solved in at least 95 % of the instances'),
      ...MINIWOB_FIGURES,
    ],
    pictures: miniwobPictures('Ten pages'),
  },
  {
    name: 'miniwob-controls',
    title: 'Controls on MiniWoB++',
    about:
      'Twelve pages that the training of all pages left nearest to 70 %, from random weights and rewards alone, with all teachers and without each of them. The arms share their seeds and minutes. Each evaluation plays the same 10 test instances of each page. [recipes.md](recipes.md#protocol-of-the-controls) has the protocol.',
    command: 'miniwob --controls --miniwob FOLDER',
    figures: [
      number('arms', 'arms'),
      number('seeds', 'seeds of each arm'),
      share('success_all', 'RL and own successes'),
      share(
        'success_filtered',
        'RL where each success has the advantage 1 (filtered imitation), and own successes',
      ),
      share('success_rl', 'RL alone'),
      share('success_relabelled', 'RL, own successes, and failures relabelled by what the agent sees'),
      share('all_over_filtered', 'all, minus filtered imitation'),
      share('relabelled_over_all', 'with relabelling, minus without'),
    ],
    pictures: [
      picture(
        ['success by environment steps', 'Controls on MiniWoB++', 'test instances · mean of the seeds'],
        SOLVED,
        STEPS,
      ),
    ],
  },
  {
    name: 'miniwob-ablation',
    title: 'MiniWoB++, DART against GRPO',
    about:
      'Twelve pages that the training of all pages left nearest to 70 %. All arms of a seed start from the same weights, which imitated three demonstrations of each page that has a script. DART, plain GRPO, and GRPO with truncated importance weights train with the same seeds. No arm has injected noise, and no arm imitates. Each evaluation plays the same 10 test instances of each page.',
    command: 'miniwob --ablation --miniwob FOLDER',
    figures: [
      times('dart_vs_clean_grpo_steps', 'steps of DART to the final success of GRPO, over those of GRPO'),
      times('dart_vs_clean_grpo_ci_low', 'lower end of its 95 % interval'),
      times('dart_vs_clean_grpo_ci_high', 'upper end of its 95 % interval'),
      times('dart_vs_clean_grpo_importance_steps', 'the same against GRPO with truncated importance weights'),
      times('dart_vs_clean_grpo_importance_ci_low', 'lower end of its 95 % interval'),
      times('dart_vs_clean_grpo_importance_ci_high', 'upper end of its 95 % interval'),
      share('dart_minus_grpo', 'final success of DART minus that of GRPO in points, after equal minutes'),
      share('dart_minus_grpo_importance', 'the same against GRPO with truncated importance weights'),
      share('success_cloned', 'success of the cloned weights'),
      share('success_dart', 'final success of DART'),
      share('success_grpo', 'final success of GRPO'),
      share('success_grpo_importance', 'final success of GRPO with importance weights'),
    ],
    pictures: [
      picture(
        ['success by environment steps', 'Twelve pages of MiniWoB++', 'each curve is one seed'],
        SOLVED,
        STEPS,
      ),
    ],
  },
  {
    name: 'osworld',
    title: 'OSWorld',
    about:
      "OSWorld's task files: a file is runnable if Dartboard has all its set-up steps and getters, and judged if it also has the metrics. Each metric is compared with OSWorld's own Python on 200 cases that are generated from seeds: files that are mutated, damaged, empty or missing. Scores agree if they differ by at most 0.005; no score of one side agrees with 0 of the other.",
    command: 'osworld --tasks FOLDER',
    figures: [
      number('tasks_judged', 'task files that can run and be judged, of those below', min(200)),
      number('tasks_runnable', 'task files whose set-up steps and getters exist'),
      number('tasks_total', 'task files'),
      share('metrics_agree', "cases in which the scores of ours and of OSWorld's metric agree", min(0.995)),
      number('metrics_below_bar', 'metrics that agree in less than 99.5 % of their cases', max(0)),
      number('metrics', 'metrics, with 200 cases each'),
      number('metrics_missing', 'metrics of OSWorld that are left out'),
      share('cases_above_0', "cases to which OSWorld's metric gives more than 0"),
    ],
  },
];
