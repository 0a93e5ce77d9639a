import { defineConfig } from 'vitest/config';
import all, { REAL_TESTS } from './vitest.config.ts';

/** `npm run test:real`: VS Code, Docker and Python. Each file is a whole system, so they run one after another. */
export default defineConfig({
  test: {
    ...all.test,
    include: [...REAL_TESTS, 'test/environments/docker/{container-spec,host,rfb,transport}.test.ts'],
    reporters: ['default', ['json', { outputFile: 'out/real-tests.json' }]],
    fileParallelism: false,
  },
});
