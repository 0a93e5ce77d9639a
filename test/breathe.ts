// Between tests, messages are let through. A file of hundreds of tests that never wait would keep its process from hearing the runner
// for minutes, and after one the runner takes it for dead.

import { setImmediate as others } from 'node:timers/promises';
import { beforeEach } from 'vitest';
// Here, because setup files run again for each file of a process, and what they import runs once.
import './equal-bytes.ts';

beforeEach(() => others());
