// Each coordinate rule is recognised from where clicks land, by models that aim well and by models that aim a few pixels off.

import { describe, expect, test } from 'vitest';
import { sentSize } from '../../runtime/agents/model/frame.ts';
import type { CoordinateRule } from '../../runtime/agents/model/profile.ts';
import { FRAME_RULES } from '../../runtime/agents/model/profiles/frames.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import type { Point, Size } from '../../runtime/core/screen.ts';
import {
  type AimedClick,
  type FrameFit,
  type FrameRule,
  fitFrame,
} from '../../runtime/endpoint-check/frame-fit.ts';
import { pictureScreens } from '../../runtime/endpoint-check/screens.ts';

const { resize } = FRAME_RULES['ui-tars-1.5'];
const PIXELS: CoordinateRule = { kind: 'sent-pixels' };
const TOLERATED_PX = 3;

/** The numbers that a model writes for a point of the screen. */
type Writer = (point: Point, screen: Size, sent: Size) => Point;

const inPicture =
  (picture: (screen: Size, sent: Size) => Size, digits = 0): Writer =>
  (point, screen, sent) => {
    const { width, height } = picture(screen, sent);
    const rounded = (value: number) => Number(value.toFixed(digits));
    return { x: rounded((point.x * width) / screen.width), y: rounded((point.y * height) / screen.height) };
  };

function clicks(writer: Writer, random: Random, offPx = 0): readonly AimedClick[] {
  const off = () => Math.round((2 * random.next() - 1) * offPx);
  return pictureScreens(random.fork('screens')).map(({ size: screen, target }) => {
    const sent = sentSize(resize, screen);
    const point = { x: target.x + target.width / 2 + off(), y: target.y + target.height / 2 + off() };
    return { screen, sent, target, numbers: writer(point, screen, sent) };
  });
}

const square = (max: number) => () => ({ width: max, height: max });
const sentPixels = inPicture((_, sent) => sent);

describe.each([0, TOLERATED_PX])('a model that aims up to %i px off', offPx => {
  const fitOf = (writer: Writer, own: CoordinateRule, seed = 'a'): FrameFit =>
    fitFrame(clicks(writer, seeded(seed), offPx), own);

  test('and follows the rule of the profile has no other rule', () => {
    for (const seed of ['a', 'b', 'c', 'd', 'e']) {
      expect(fitOf(sentPixels, PIXELS, seed)).toEqual({ kind: 'own' });
      for (const max of [999, 1000])
        expect(fitOf(inPicture(square(max)), { kind: 'relative', max }, seed)).toEqual({ kind: 'own' });
    }
  });

  test.each<readonly [FrameRule, Writer, CoordinateRule]>([
    [{ kind: 'relative', max: 1000 }, inPicture(square(1000)), PIXELS],
    [{ kind: 'relative', max: 1000 }, inPicture(square(999)), PIXELS],
    [{ kind: 'relative', max: 100 }, inPicture(square(100), 1), PIXELS],
    [{ kind: 'relative', max: 1 }, inPicture(square(1), 3), PIXELS],
    [{ kind: 'screen-pixels' }, inPicture(screen => screen), { kind: 'relative', max: 1000 }],
    [{ kind: 'sent-pixels' }, sentPixels, { kind: 'relative', max: 999 }],
  ])('and follows %j is recognised', (rule, writer, own) => {
    for (const seed of ['a', 'b', 'c'])
      expect(fitOf(writer, own, seed)).toMatchObject({ kind: 'other', frame: { rule, isSwapped: false } });
  });

  test('and writes y before x is recognised', () => {
    const swapped: Writer = (point, screen, sent) => {
      const { x, y } = inPicture(square(1000))(point, screen, sent);
      return { x: y, y: x };
    };
    expect(fitOf(swapped, { kind: 'relative', max: 1000 })).toMatchObject({
      ...{ kind: 'other', frame: { rule: { kind: 'relative', max: 1000 }, isSwapped: true } },
    });
  });

  test('behind a server that reduces large images is recognised, with the sizes', () => {
    const reduced = (_: Size, sent: Size): Size =>
      sent.width * sent.height > 1.5e6 ? { width: sent.width / 2, height: sent.height / 2 } : sent;
    const found = fitOf(inPicture(reduced), PIXELS);
    if (found.kind !== 'resized') throw new Error(`found ${found.kind}`);
    expect(found.pictures).toHaveLength(4);
    for (const { screen, sent, picture } of found.pictures) {
      const { width, height } = reduced(screen, sent);
      expect(Math.abs(picture.width - width)).toBeLessThan(0.02 * width);
      expect(Math.abs(picture.height - height)).toBeLessThan(0.02 * height);
    }
  });

  test('in pixels of one picture on every screen is recognised, with its size', () => {
    const found = fitOf(
      inPicture(() => ({ width: 1932, height: 1092 })),
      { kind: 'relative', max: 1000 },
    );
    if (found.kind !== 'fixed') throw new Error(`found ${found.kind}`);
    expect(Math.abs(found.picture.width - 1932)).toBeLessThan(40);
    expect(Math.abs(found.picture.height - 1092)).toBeLessThan(40);
  });
});

describe('no rule is blamed', () => {
  test('for a model that clicks anywhere', () => {
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const random = seeded(seed).fork('anywhere');
      const anywhere: Writer = (_, __, sent) => ({ x: random.int(sent.width), y: random.int(sent.height) });
      expect(fitFrame(clicks(anywhere, seeded(seed)), PIXELS)).toEqual({ kind: 'own' });
    }
  });

  test('for a model that aims 2.5 % too far', () => {
    const far: Writer = (point, screen, sent) => {
      const { x, y } = sentPixels(point, screen, sent);
      return { x: 1.025 * x, y: 1.025 * y };
    };
    expect(fitFrame(clicks(far, seeded('far')), PIXELS)).toEqual({ kind: 'own' });
  });

  test('for a few clicks', () => {
    const few = clicks(inPicture(square(1000)), seeded('few')).slice(0, 3);
    expect(fitFrame(few, PIXELS)).toEqual({ kind: 'own' });
    expect(fitFrame([], PIXELS)).toEqual({ kind: 'own' });
  });
});
