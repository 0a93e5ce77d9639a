// The section of docs/results.md about hostile input.

import { type BenchPage, max, megabytes, milliseconds, min, number } from './page-spec.ts';

export const SURVIVE_PAGE: BenchPage = {
  name: 'survive',
  title: 'Hostile input',
  about:
    'Damaged and invented inputs to every border: servers, archives, files, replies of models, and bytes of desktops and guests. A process that crashes or hangs, an error that nobody expected, and a rejection that does not state what failed, on which value, and what to do, are faults.',
  figures: [
    number('hostile_borders', 'borders'),
    number('hostile_inputs', 'inputs to all of them', min(1_000_000)),
    number('hostile_rejected', 'of these, rejected'),
    number('crashes', 'crashes and hangs', max(0)),
    number('raw_errors', 'unknown errors, and rejections without the three parts', max(0)),
    milliseconds('blocked_ms_worst', 'the longest time that an input blocked the event loop', max(200)),
    megabytes('growth_mb_worst', 'the most memory that an input took, or that a border kept', max(100)),
  ],
};
