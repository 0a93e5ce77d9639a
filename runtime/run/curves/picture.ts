// The picture of a run at some moment: which of its numbers are drawn, and what is said above them.

import type { RunState } from '../../protocol/daemon/state.ts';
import { aboutRun } from '../number-format.ts';
import { curveSvg } from './curve-svg.ts';

export function pictureOf({ about, of, curve }: RunState): string {
  const parts = aboutRun(about);
  const [desktops, tiers, ...others] = about.desktops === 'docker' ? parts : ['Pocket desktop', ...parts];
  return curveSvg({
    title: `${desktops}, ${tiers}`,
    subtitle: [...others, `seed ${about.seed}`, 'band: 95 % interval, clustered by task'].join(' · '),
    seconds: of,
    test: curve.filter(({ split }) => split === 'test'),
    train: curve.filter(({ split }) => split === 'train'),
  });
}
