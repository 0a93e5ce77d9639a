// Writes the line numbers of docs/method.md: each table row has a code fragment in backticks and a link to its file. With --check it
// only reports rows whose fragment is not on the linked line.
import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = 'docs/method.md';
const ROW = /^\|.*\| `([^`]+)` \| \[([\w./-]+):\d+\]\(\.\.\/([\w./-]+)#L(\d+)\) \|/;

const problems = [];
const lines = readFileSync(PAGE, 'utf8')
  .split('\n')
  .map(row => {
    const [, code, , file, number] = ROW.exec(row) ?? [];
    if (code === undefined) return row;
    const text = readFileSync(file, 'utf8').split('\n');
    const index = text.findIndex(line => line.includes(code.replaceAll('\\|', '|')));
    if (index < 0) problems.push(`'${code}' is not in ${file}. Correct the row of ${PAGE}.`);
    else if (index + 1 !== Number(number))
      problems.push(
        `'${code}' is on line ${index + 1} of ${file}, not ${number}. Run: node scripts/method-lines.mjs`,
      );
    return index < 0
      ? row
      : row.replace(
          /\[[\w./-]+:\d+\]\(\.\.\/[\w./-]+#L\d+\)/,
          `[${file}:${index + 1}](../${file}#L${index + 1})`,
        );
  });
if (process.argv.includes('--check')) {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else {
  writeFileSync(PAGE, lines.join('\n'));
  for (const problem of problems.filter(each => each.includes('is not in')))
    process.stderr.write(`${problem}\n`);
}
