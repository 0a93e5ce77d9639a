import { defineConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** `npm run test:large`: the tasks of the large image, which `dartboard docker build large` builds. */
export default defineConfig({
  test: { ...all.test, include: ['test/environments/docker/tasks/solved-large.ts'] },
});
