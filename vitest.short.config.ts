import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import all, { HOSTS_TESTS, LONG_TESTS, REAL_TESTS } from './vitest.config.ts';

/** Slowest first, so that no core idles at the end. */
const SLOWEST = [
  'e2e/train',
  'e2e/',
  'cli/main',
  'server/',
  'data/store',
  'learner/micro/',
  'extension/program',
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = SLOWEST.findIndex(part => moduleId.includes(`/test/${part}`));
      return found === -1 ? SLOWEST.length : found;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** `npm test`: the unit tests, and tests with real processes, browsers, short trainings and many random cases. */
export default defineConfig({
  test: {
    ...all.test,
    exclude: [...LONG_TESTS, ...REAL_TESTS, ...HOSTS_TESTS],
    reporters: ['default', ['json', { outputFile: 'out/short-tests.json' }]],
    sequence: { sequencer: SlowestFirst },
    // Many of these tests wait for processes and pages: with two, a third of the time of two cores was idle.
    // Loading the modules again for each file would take a third of the time. With fewer processes at least than at most, vitest ends idle
    // ones twice, and then fails.
    // The modules of hundreds of files fill a small young generation at once: collecting it took a tenth of the time.
    poolOptions: {
      forks: {
        minForks: 3,
        maxForks: 3,
        isolate: false,
        execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
      },
    },
  },
});
