// Check boxes and radio buttons.

import type { ElementState } from '../../../core/screen.ts';
import { bottom, box, right } from '../../box.ts';
import { CAP_HEIGHT, fitText, textWidth } from '../font.ts';
import { textTop } from './controls.ts';
import { TICK } from './icons.ts';
import type { Widget } from './widget.ts';

const MARK = 9;
const ROUND = [
  '  ccccc  ',
  ' c.....c ',
  'c.......c',
  'c.......c',
  'c.......c',
  'c.......c',
  'c.......c',
  ' c.....c ',
  '  ccccc  ',
];
const DOT = ['  xxx  ', ' xxxxx ', ' xxxxx ', ' xxxxx ', '  xxx  '];

interface ToggleOptions {
  readonly key?: string;
  readonly enabled?: boolean;
  readonly change: () => void;
}

export const checkbox = (name: string, checked: boolean, options: ToggleOptions): Widget =>
  toggle('checkbox', name, checked, options);

export const radio = (name: string, chosen: boolean, options: ToggleOptions): Widget =>
  toggle('radio', name, chosen, options);

function toggle(
  role: 'checkbox' | 'radio',
  name: string,
  on: boolean,
  { key = name, enabled = true, change }: ToggleOptions,
): Widget {
  const states: ElementState[] = [];
  if (on) states.push(role === 'radio' ? 'selected' : 'checked');
  if (!enabled) states.push('disabled');
  const act = () => {
    if (enabled) change();
  };
  return {
    key,
    paintKey: `${role} ${on} ${enabled} ${name}`,
    describe: { role, name, states },
    on: {
      press: act,
      stroke: stroke => {
        if (stroke !== 'space' && stroke !== 'enter') return false;
        act();
        return true;
      },
    },
    measure: width => ({ width: Math.min(width, MARK + 4 + textWidth(name)), height: CAP_HEIGHT + 5 }),
    paint: ({ surface, box: area, theme, focused }) => {
      const mark = box(area.x, area.y + Math.floor((area.height - MARK) / 2), MARK, MARK);
      if (role === 'radio') {
        surface.bitmap(ROUND, mark.x, mark.y, { c: theme.faint, '.': theme.field });
        if (on) surface.bitmap(DOT, mark.x + 1, mark.y + 2, { x: theme.accent });
      } else {
        surface.fill(mark, theme.field);
        surface.frame(mark, theme.faint);
        if (on) surface.bitmap(TICK, mark.x + 1, mark.y + 1, { x: theme.accent });
      }
      const text = fitText(name, area.width - MARK - 4);
      surface.text(text, right(mark) + 4, textTop(area.y, area.height), enabled ? theme.text : theme.faint);
      if (focused) surface.fill(box(right(mark) + 4, bottom(area) - 1, textWidth(text), 1), theme.accent);
    },
  };
}
