// What is said of a training beside the live display: a line now and then where nobody watches, and the summary in the end. Pure.

import { cut, faint, indented, type Line, plain, strong } from '../../terminal/line.ts';
import type { Point } from '../../terminal/progress.ts';
import { listed, type Named } from '../../terminal/ring-report.ts';
import { table } from '../../terminal/table.ts';
import { clock, count, rated } from '../../terminal/words.ts';
import { overall, type TaskScore } from '../scores.ts';
import type { Progress } from '../training.ts';
import type { Doing } from './frame.ts';

/** '1:15 of 5:00  playing · solved 41 of 92 · 45 % (31–60 %) · 1,204 episodes …' */
export function progressLine(
  { seconds, player, student }: Progress,
  of: number,
  doing: Doing,
  last: Point | undefined,
): string {
  return [
    `${clock(seconds)} of ${clock(of)}  ${doing}`,
    ...(last === undefined ? [] : [`solved ${rated(last)}`]),
    `${count(player.episodes)} episodes`,
    `${count(student.updates)} updates`,
    `${count(player.findings)} deeds found`,
    `groups: ${count(student.trained)} trained, ${count(student.filtered)} filtered`,
  ].join(' · ');
}

export interface Summary {
  readonly seconds: number;
  readonly of: number;
  readonly test: readonly TaskScore[];
  readonly train: readonly TaskScore[];
  readonly folder: string;
  readonly files: readonly Named[];
  /** Commands. */
  readonly next: readonly Named[];
}

/** As wide as there is room; only names of files and commands are never cut, since they are to be used. */
export function summary(
  { seconds, of, test, train, folder, files, next }: Summary,
  room: number,
): readonly Line[] {
  const width = room - MARGIN;
  const early = seconds < of - 1;
  const success: readonly Line[] = [
    early
      ? [strong(`Stopped after ${clock(seconds)} of ${clock(of)}`), plain('; what was learned is kept.')]
      : [strong(`Trained for ${clock(seconds)}`), plain(', from random weights.')],
    [],
    [plain('  test worlds      '), strong(rated(overall(test))), faint('   drawn anew, never trained on')],
    [plain('  training worlds  '), strong(rated(overall(train)))],
    [],
    ...table(
      [
        { title: 'test worlds', scores: test },
        { title: 'training', scores: train },
      ],
      width,
    ),
  ];
  const lines: readonly Line[] = [
    [],
    ...success.map(line => cut(line, width)),
    [],
    [plain(`Kept in ${folder}`)],
    ...listed(files, width),
    [],
    [plain('Next')],
    ...listed(next, width),
    [],
  ];
  return indented(lines, MARGIN);
}

const MARGIN = 2;
