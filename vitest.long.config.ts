import { defineConfig } from 'vitest/config';
import all, { LONG_TESTS } from './vitest.config.ts';

/** `npm run test:long`: whole systems again and again, and every task or page. They need Chromium, and run one after another. */
export default defineConfig({
  test: {
    ...all.test,
    include: LONG_TESTS,
    reporters: ['default', ['json', { outputFile: 'out/long-tests.json' }]],
    fileParallelism: false,
  },
});
