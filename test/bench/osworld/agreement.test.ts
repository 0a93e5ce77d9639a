// The scores of each metric on its cases, against the recorded ones of OSWorld's own.

import { expect, test } from 'vitest';
import { CASES_PER_METRIC } from '../../../runtime/bench/osworld/metric-case.ts';
import { CASE_MAKERS } from '../../../runtime/bench/osworld/metric-cases.ts';
import { agreementOf } from '../../../runtime/bench/osworld/osworld.ts';

test.each(Object.keys(CASE_MAKERS))('%s agrees with OSWorld in at least 199 of 200 cases', async metric => {
  const { agree } = await agreementOf(metric);
  expect(agree).toBeGreaterThanOrEqual(0.995 * CASES_PER_METRIC);
});
