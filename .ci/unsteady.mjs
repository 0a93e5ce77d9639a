// A reporter for tests that are run a second time when they fail: it names those that needed it, and what they failed of. A second
// try keeps a busy machine from refusing a change that is sound; what is named here is a fault all the same, of a test or of what it
// tests, and is to be mended.

export default class Unsteady {
  #named = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky !== true) return;
    const errors = test.result().errors ?? [];
    this.#named.push([`${test.module.moduleId}: ${test.fullName}`, ...errors.map(({ message }) => message)]);
  }

  onTestRunEnd() {
    for (const [test, ...messages] of this.#named)
      process.stdout.write(`unsteady, passed only the second time: ${[test, ...messages].join('\n  ')}\n`);
  }
}
