// Assembles the loops over pixels: pixels.wat → pixels-wasm.ts. A test checks that both agree.

import { readFile, writeFile } from 'node:fs/promises';
import start from 'wabt';

const FOLDER = 'runtime/agents/model/image';

const wabt = await start();
const source = await readFile(`${FOLDER}/pixels.wat`, 'utf8');
const module = wabt.parseWat('pixels.wat', source, { simd: true, bulk_memory: true });
module.validate();
const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
await writeFile(
  `${FOLDER}/pixels-wasm.ts`,
  `// Written by \`node scripts/wasm.mjs\` from pixels.wat.

/** The module in base64. */
export const PIXELS_WASM =
  '${base64}';
`,
);
