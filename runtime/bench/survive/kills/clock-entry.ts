// Loaded before the program of each process and thread of a run whose clock jumps.

import { followMovedClock } from '../../machine/moved-clock.ts';
import { CLOCK_VARIABLE } from './machine.ts';

followMovedClock(process.env[CLOCK_VARIABLE] ?? '');
