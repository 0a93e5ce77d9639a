import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PANELS, type PanelPlace } from '../../../runtime/protocol/panels.ts';
import { hashOf, placeInHash, placeOf } from '../../../webview/shared/place.ts';

const name = fc.string({ minLength: 1 });
const place: fc.Arbitrary<PanelPlace> = fc.record(
  {
    panel: fc.constantFrom(...PANELS),
    run: name,
    trajectory: name,
    step: fc.nat(),
    beside: name,
    agent: name,
    against: name,
    desktop: name,
  },
  { requiredKeys: ['panel'] },
);

test('the address of a place gives back the place, with any names', () => {
  fc.assert(
    fc.property(place, each => {
      expect(placeInHash(hashOf(each))).toEqual(each);
    }),
  );
});

test('other addresses are not places', () => {
  for (const hash of ['', '#', '#token-without-slash', '#/elsewhere', '#/training?step=x'])
    expect(placeInHash(hash)).toBeUndefined();
  expect(placeOf(undefined)).toBeUndefined();
});
