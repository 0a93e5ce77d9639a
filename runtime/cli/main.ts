#!/usr/bin/env node
// The command line program.

import { growHeapFaster } from '../rpc/heap-flags.ts';
import { contextOfProcess } from './context.ts';
import { runProgram } from './program.ts';
import { endOnBrokenPipe } from './stop-signal.ts';

growHeapFaster();
for (const stream of [process.stdout, process.stderr]) endOnBrokenPipe(stream);
process.exitCode = await runProgram(contextOfProcess(import.meta.url), process.argv.slice(2));
