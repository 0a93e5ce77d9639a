// Values that make the schema library throw are refused like all others, and no reader of values goes around that.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { safeParse } from '../../runtime/core/safe-parse.ts';

/** A length that is no number. */
const ODD = { length: { valueOf: 1, toString: 1 } };

test.each([
  ['a text', z.string().min(1), ODD],
  ['a list', z.array(z.string()).max(3), ODD],
  ['a setting', z.strictObject({ name: z.string().max(9) }), { name: ODD }],
  ['one of two', z.union([z.string().min(1), z.number()]), ODD],
])('%s with a length that is no number is refused', (_, schema, value) => {
  expect(safeParse<z.ZodSafeParseResult<unknown>>(schema, value).success).toBe(false);
});

test('a sound value is returned, and the issues of another one', () => {
  expect(safeParse(z.number(), 3).data).toBe(3);
  expect(safeParse(z.number(), '3').error?.issues).toMatchObject([{ code: 'invalid_type' }]);
});

test('the runtime checks values with it only', () => {
  const root = new URL('../../runtime', import.meta.url).pathname;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'));
  const direct = files.filter(path => readFileSync(join(root, path), 'utf8').includes('.safeParse('));
  expect(direct).toEqual(['core/safe-parse.ts']);
});
