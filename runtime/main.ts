// The command line.

import { parseArgs } from 'node:util';
import { demonstrate } from './demonstration.ts';

const USAGE = `dartboard start [--seed TEXT] [--out FOLDER]

  start   shows the engine at work: a small network learns to point, in about twenty seconds

  --seed  where all chance comes from (default: dartboard)
  --out   where the trained weights go (default: out/demonstration)
`;

async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      seed: { type: 'string', default: 'dartboard' },
      out: { type: 'string', default: 'out/demonstration' },
    },
  });
  const [command, ...others] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(USAGE);
    return;
  }
  if (command !== 'start') throw new RangeError(`There is no command '${command}'.\n\n${USAGE}`);
  if (others.length > 0) throw new RangeError(`'start' takes no '${others[0]}'.\n\n${USAGE}`);
  await demonstrate({
    engineEntry: new URL('./engine.js', import.meta.url),
    folder: values.out,
    say: line => process.stdout.write(`${line}\n`),
    colour: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
    seed: values.seed,
  });
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
