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
    desktop: name,
  },
  { requiredKeys: ['panel'] },
);

test('an address says the place that it was made from, whatever the names are', () => {
  fc.assert(
    fc.property(place, each => {
      expect(placeInHash(hashOf(each))).toEqual(each);
    }),
  );
});

test('what is no place is none', () => {
  for (const hash of ['', '#', '#token-without-slash', '#/elsewhere', '#/training?step=x'])
    expect(placeInHash(hash)).toBeUndefined();
  expect(placeOf(undefined)).toBeUndefined();
});
