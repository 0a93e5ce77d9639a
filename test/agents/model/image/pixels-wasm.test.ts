// The module in the repository is the assembled source.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import start from 'wabt';
import { PIXELS_WASM } from '../../../../runtime/agents/model/image/pixels-wasm.ts';

const SOURCE = new URL('../../../../runtime/agents/model/image/pixels.wat', import.meta.url);

test('pixels-wasm.ts is pixels.wat, assembled; otherwise run node scripts/wasm.mjs', async () => {
  const wabt = await start();
  const parsed = wabt.parseWat('pixels.wat', readFileSync(SOURCE, 'utf8'), { simd: true, bulk_memory: true });
  expect(Buffer.from(parsed.toBinary({}).buffer).toString('base64')).toBe(PIXELS_WASM);
});
