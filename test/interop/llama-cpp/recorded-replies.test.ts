// Recorded replies of the server of llama.cpp, read by our client.

import { describe, expect, test } from 'vitest';
import { CASES } from './cases.ts';
import { RECORDED, readRecording, replaying } from './recordings.ts';

const URL = 'http://localhost:8000/v1';

describe('a recorded reply', () => {
  test.each(CASES)('$name', async ({ name, check }) => {
    await check({ url: URL, transport: replaying(name, URL) });
  });

  test('is of the pinned versions', () => {
    for (const { name } of CASES) expect(readRecording(name)).toMatchObject(RECORDED);
  });
});
