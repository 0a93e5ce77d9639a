import { defineConfig } from 'vitest/config';
import all, { HOSTS_TESTS, LONG_TESTS, REAL_TESTS, SYSTEM_TESTS } from './vitest.config.ts';

/** `npm run test:unit`: without real processes, browsers, engines and thousands of random cases. */
export default defineConfig({
  test: {
    ...all.test,
    exclude: [...SYSTEM_TESTS, ...LONG_TESTS, ...REAL_TESTS, ...HOSTS_TESTS],
    // One process for many files saves half of the time.
    poolOptions: { forks: { minForks: 2, maxForks: 2, isolate: false } },
  },
});
