// The progress bar, the latest success and the success curve of a run, each at a given width. Pure.

import type { Interval } from '../../data/interval.ts';
import type { RunState } from '../../protocol/daemon/state.ts';
import { clock, percent, range, rated } from '../../run/number-format.ts';
import { chart } from './chart.ts';
import { accent, faint, plain, type StyledLine, spread, strong, widthOf } from './line.ts';

export interface SuccessPoint extends Interval {
  readonly seconds: number;
}

/** Seconds of training so far, and in all. */
export interface TrainedSeconds {
  readonly seconds: number;
  readonly of: number;
}

export function progressBar({ seconds, of }: TrainedSeconds, goesOn: boolean, width: number): StyledLine {
  const left = goesOn ? `${clock(of - seconds)} left` : clock(seconds);
  const room = Math.max(4, width - 2 - Math.max(12, left.length));
  const done = Math.round(room * Math.min(1, Math.max(0, seconds / of)));
  return [accent('━'.repeat(done)), faint('─'.repeat(room - done)), plain(`  ${left.padStart(12)}`)];
}

/** Guests test the tasks that train. Stored trajectories do if none is reserved for tests. */
function successTitle(desktops: RunState['about']['desktops'], isWide: boolean): string {
  if (desktops === 'guest')
    return isWide
      ? 'Solved, on the tasks that train: each has one instance'
      : 'Solved on the tasks that train';
  if (desktops === 'offline') return 'Solved on test trajectories';
  return isWide ? 'Solved, on test instances that it never trains on' : 'Solved on test instances';
}

/** The latest evaluation on the test split. */
export function successLine(
  last: SuccessPoint | undefined,
  desktops: RunState['about']['desktops'],
  width: number,
): StyledLine {
  const title = [plain(successTitle(desktops, width > 82))];
  if (last === undefined) return spread(title, [faint('not evaluated yet')], width);
  const [long, short] = [[strong(rated(last))], [strong(`${percent(last.rate)} (${range(last)})`)]];
  return spread(title, widthOf(title) + widthOf(long) + 2 > width ? short : long, width);
}

/** `tall` lines of the curve, and two of the axis. */
export function successChart(
  points: readonly SuccessPoint[],
  of: number,
  width: number,
  tall: number,
): readonly StyledLine[] {
  const room = width - 8;
  const drawn = chart(
    points.map(({ seconds, rate, low, high }) => ({ at: Math.min(1, seconds / of), value: rate, low, high })),
    room,
    tall,
  );
  const scale = (row: number): string =>
    row === 0
      ? '100 %'
      : row === tall - 1
        ? '0 %'
        : row === Math.floor((tall - 1) / 2) && tall > 4
          ? '50 %'
          : '';
  const [start, middle, end] = [clock(0), clock(of / 2), clock(of)];
  const gap = (whole: number) => ' '.repeat(Math.max(1, whole));
  const axis = `${start}${gap(Math.floor(room / 2) - start.length - Math.floor(middle.length / 2))}${middle}`;
  return [
    ...drawn.map(
      (line, row): StyledLine => [
        faint(`${scale(row).padStart(5)} ${scale(row) === '' ? '│' : '┤'}`),
        ...line,
      ],
    ),
    [faint(`      └${'─'.repeat(room)}`)],
    [faint(`       ${axis}${gap(room - axis.length - end.length)}${end}`)],
  ];
}
