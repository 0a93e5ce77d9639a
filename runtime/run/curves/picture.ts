// The chart of a run: success over time on test and training worlds.

import type { RunState } from '../../protocol/daemon/state.ts';
import { KIND_TITLES } from '../../protocol/desktop-kinds.ts';
import { aboutRun, count } from '../number-format.ts';
import { lineChart } from './line-chart.ts';

const CURVES = [
  { split: 'test', name: 'test worlds' },
  { split: 'train', name: 'training worlds' },
] as const;

export function pictureOf({ about, of: plannedSeconds, curve }: RunState): string {
  const parts = aboutRun(about);
  const [desktops, tiers, ...others] = about.desktops === undefined ? [KIND_TITLES.pocket, ...parts] : parts;
  const title = `${desktops}, ${tiers}`;
  const curves = CURVES.map(({ split, name }) => {
    const measured = curve.filter(point => point.split === split);
    const last = measured.at(-1);
    const points = measured.map(({ seconds, rate, low, high }) => ({ x: seconds, y: rate, low, high }));
    const note =
      last && `${Math.round(100 * last.rate)} %, ${count(last.successes)} of ${count(last.trials)}`;
    return { name, points, ...(note !== undefined && { note }) };
  });
  return lineChart({
    title,
    subtitle: [...others, `seed ${about.seed}`, 'band: 95 % interval, clustered by task'].join(' · '),
    description: `${title}: success over time.`,
    x: { label: 'time trained (minutes : seconds)', unit: 'seconds', max: plannedSeconds },
    y: { label: 'tasks solved', unit: 'share', max: 1 },
    curves,
  });
}
