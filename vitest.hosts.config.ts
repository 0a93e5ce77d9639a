import { defineConfig } from 'vitest/config';
import all, { HOSTS_TESTS } from './vitest.config.ts';

/** `npm run test:hosts`: runs on several hosts, over a real nats-server. */
export default defineConfig({
  test: {
    ...all.test,
    include: HOSTS_TESTS,
    reporters: ['default', ['json', { outputFile: 'out/hosts-tests.json' }]],
    fileParallelism: false,
  },
});
