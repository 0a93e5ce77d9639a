// The section of docs/results.md about the weights that come with Dartboard.

import { type BenchPage, min, picture, SOLVED, share, TIME } from './page-spec.ts';

export const BASE_PAGE: BenchPage = {
  name: 'base',
  title: 'Base weights',
  about:
    'The weights that come with Dartboard, trained for 95 minutes on all four tiers of the pocket desktop with varied phrasings and five demonstrations of each task. Pocket desktop: 20 test instances of each task, with the likeliest choices. Web desktops: trainings of five minutes on the web tasks of Dartboard, which the base weights have never seen, from the base weights and from random weights with the same seeds.',
  figures: [
    share('tiers12', 'pocket desktop, tiers 1 and 2'),
    share('tiers12_other_words', 'the same with words and beginnings that they were not trained on'),
    share('tier3', 'tier 3'),
    share('tier4', 'tier 4'),
    share('unseen', 'kinds of tasks of the pocket desktop that were never trained', min(0.4)),
    share('web_untrained', 'web tasks, before any training on them'),
    share('web_from_base', 'web tasks, after five minutes from the base weights'),
    share('web_from_random', 'the same from random weights'),
  ],
  pictures: [picture(['success', 'Success on web tasks', 'test instances'], SOLVED, TIME)],
};
