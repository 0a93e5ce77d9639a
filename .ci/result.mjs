// Prints each test that failed or ran in no part, with its error, and how many passed.
// A test that one part skips, without an engine or a VS Code, must pass in the other part. A test that ran nowhere proves nothing.
import { existsSync, readFileSync } from 'node:fs';

const PARTS = ['short', 'long', 'real', 'hosts'];
const PRINTED = 20;

const failures = [];
const passed = new Set();
const skipped = new Set();
for (const part of PARTS) {
  const path = `out/${part}-tests.json`;
  if (!existsSync(path)) {
    failures.push(`${part}: no result was written. The end of its output says why.`);
    continue;
  }
  const { success, testResults } = JSON.parse(readFileSync(path, 'utf8'));
  const before = failures.length;
  for (const { name, message, assertionResults } of testResults) {
    // A file that cannot be loaded has a message and no tests.
    if (message) failures.push(`${part}: ${name}: ${message}`);
    for (const { fullName, status, failureMessages } of assertionResults) {
      const test = `${name}: ${fullName}`;
      if (status === 'passed') passed.add(test);
      else if (status === 'failed')
        failures.push(`${part}: ${test}\n  ${failureMessages.join('\n').slice(0, 2000)}`);
      else skipped.add(test);
    }
  }
  if (!success && failures.length === before)
    failures.push(
      `${part}: every test passed, but an error was thrown between them. Look for it in the output.`,
    );
}
for (const test of skipped) if (!passed.has(test)) failures.push(`ran in no part: ${test}`);

const lines = failures.slice(0, PRINTED);
if (failures.length > PRINTED) lines.push(`… and ${failures.length - PRINTED} more`);
process.stdout.write([...lines, `${passed.size} passed`, ''].join('\n'));
process.exitCode = failures.length > 0 || passed.size === 0 ? 1 : 0;
