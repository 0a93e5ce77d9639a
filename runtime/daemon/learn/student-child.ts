// The entry of the student's process: it holds the weights that are trained.

import { seeded } from '../../contracts/world.ts';
import { serve } from '../../graph/process/serve.ts';
import { loadRuntime } from '../../graph/runtime.ts';
import { openSession } from '../../graph/session.ts';
import { systemClock } from '../clock.ts';
import type { StudentCalls } from './calls.ts';
import { Student } from './student.ts';

await serve<StudentCalls, null>(async () => {
  const runtime = await loadRuntime('any');
  const engine = { open: (program: Parameters<typeof openSession>[1]) => openSession(runtime, program) };
  let student: Student | undefined;
  const started = (): Student => {
    if (student === undefined) throw new RangeError('The student was not started.');
    return student;
  };
  return {
    about: null,
    handlers: {
      start: async ({ seed, shape, recipe, weights }) => {
        student = await Student.open(engine, shape, recipe, weights, systemClock, seeded(seed));
      },
      take: async work => {
        started().take(work);
      },
      learn: async ({ milliseconds, passed }) => {
        const learned = await started().learn(milliseconds, passed);
        const weights = await started().weights();
        return { learned, ...(weights && { weights }) };
      },
      state: () => started().state(),
      counts: async () => started().counts(),
      memory: async () => process.resourceUsage().maxRSS / 1024,
    },
  };
});
