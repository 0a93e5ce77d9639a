// Each profile reads the replies of its family as they were meant.

import { describe, expect, test } from 'vitest';
import type { ProfileId } from '../../../../runtime/agents/model/profile.ts';
import { PROFILES } from '../../../../runtime/agents/model/profiles/index.ts';
import { SCREEN } from '../../../core/arbitraries.ts';
import { EVOCUA_SAMPLES, OPENCUA_SAMPLES } from './samples/code.ts';
import { GENERIC_SAMPLES } from './samples/generic.ts';
import type { Sample } from './samples/sample.ts';
import { GUI_OWL_SAMPLES, QWEN_3_SAMPLES, QWEN_25_SAMPLES } from './samples/tools.ts';
import { MICRO_SAMPLES, UI_TARS_10_SAMPLES, UI_TARS_15_SAMPLES } from './samples/ui-tars.ts';
import { frameOf } from './setting.ts';

const SAMPLES: Readonly<Record<ProfileId, readonly Sample[]>> = {
  'ui-tars-1.5': UI_TARS_15_SAMPLES,
  'ui-tars-1.0': UI_TARS_10_SAMPLES,
  'qwen2.5-vl': QWEN_25_SAMPLES,
  'qwen3-vl': QWEN_3_SAMPLES,
  'gui-owl-1.5': GUI_OWL_SAMPLES,
  opencua: OPENCUA_SAMPLES,
  evocua: EVOCUA_SAMPLES,
  generic: GENERIC_SAMPLES,
  micro: MICRO_SAMPLES,
};

describe.each(Object.values(PROFILES))('$id', profile => {
  test.each(SAMPLES[profile.id])('$name', ({ reply, means, thought }) => {
    const reading = profile.read(reply, frameOf(profile, SCREEN));
    if (typeof means === 'string') {
      expect(reading).toMatchObject({ kind: 'malformed' });
      expect(reading.kind === 'malformed' ? reading.why : '').toContain(means);
    } else {
      expect(reading).toMatchObject({ kind: 'actions', actions: means.map(action => ({ action })) });
      expect(reading.kind === 'actions' ? reading.actions.length : 0).toBe(means.length);
    }
    if (thought !== undefined) expect(reading.thought).toBe(thought);
  });
});

test('a drag and a scroll begin at the pointer, if an earlier action moved it', () => {
  const { read } = PROFILES['qwen3-vl'];
  const frame = { ...frameOf(PROFILES['qwen3-vl'], SCREEN), pointer: { x: 7, y: 9 } };
  const drag = read('{"action": "left_click_drag", "coordinate": [0, 0]}', frame);
  expect(drag).toMatchObject({
    actions: [{ action: { kind: 'drag', from: { x: 7, y: 9 }, to: { x: 0, y: 0 } } }],
  });
  const scroll = read('{"action": "scroll", "pixels": 2}', frame);
  expect(scroll).toMatchObject({ actions: [{ action: { kind: 'scroll', at: { x: 7, y: 9 } } }] });
});

test('the generic profile reports the elements that a reply names', () => {
  const { read } = PROFILES.generic;
  const reading = read(
    '{"action": "drag", "element": 1, "to_element": 3}',
    frameOf(PROFILES.generic, SCREEN),
  );
  expect(reading).toMatchObject({ actions: [{ elements: [1, 3] }] });
});
