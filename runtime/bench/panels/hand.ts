// Turns an action into the pointer and key events of a hand that does it. Pure.

import { type Action, NOTCHES } from '../../core/action.ts';
import type { Point } from '../../core/screen.ts';
import { PIXELS_PER_SCROLL } from '../../person/input.ts';
import type { SentInput } from '../../protocol/daemon/record.ts';

type SentEvent = SentInput['event'];

/** The actions `finished`, `fail` and `none` are no events: a person presses a button of the page. */
export function eventsOf(action: Action): readonly SentEvent[] {
  switch (action.kind) {
    case 'click':
      return clicks(action.at, 'left', 1);
    case 'double_click':
      return clicks(action.at, 'left', 2);
    case 'triple_click':
      return clicks(action.at, 'left', 3);
    case 'right_click':
      return clicks(action.at, 'right', 1);
    case 'middle_click':
      return clicks(action.at, 'middle', 1);
    case 'move':
      return [{ kind: 'rest', at: action.at }];
    case 'drag':
      return [
        { kind: 'press', button: 'left', at: action.from },
        { kind: 'release', button: 'left', at: action.to },
      ];
    case 'type':
      return [...action.text].map(text => ({ kind: 'text', text }));
    case 'hotkey':
      return [{ kind: 'keys', keys: [...action.keys] }];
    case 'scroll': {
      const pixels = Math.ceil((PIXELS_PER_SCROLL * action.notches) / NOTCHES);
      const [x, y] = {
        up: [0, -pixels],
        down: [0, pixels],
        left: [-pixels, 0],
        right: [pixels, 0],
      }[action.direction] as [number, number];
      return [{ kind: 'wheel', at: action.at, x, y }];
    }
    case 'wait':
      return [{ kind: 'wait' }];
    case 'finished':
    case 'fail':
    case 'none':
      return [];
  }
}

const clicks = (at: Point, button: 'left' | 'middle' | 'right', times: number): readonly SentEvent[] =>
  Array.from({ length: times }, () => [
    { kind: 'press', button, at } as const,
    { kind: 'release', button, at } as const,
  ]).flat();
