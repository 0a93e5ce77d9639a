// Routes for what a container cannot do. Each answers as OSWorld's server does when it fails.

import * as z from 'zod';
import { quotePath } from '../../environments/command.ts';
import { errorAnswer, jsonAnswer, textAnswer } from '../answer.ts';
import { type GuestRoutes, jsonOf } from '../guest-call.ts';
import { expandedPath } from '../guest-paths.ts';

export const MISSING_ROUTES: GuestRoutes = {
  '/start_recording': {
    method: 'POST',
    run: async () =>
      errorAnswer(
        'Recording did not start: this desktop has no ffmpeg. Take screenshots with /screenshot instead.',
        400,
      ),
  },
  '/end_recording': {
    method: 'POST',
    run: async () =>
      errorAnswer('No recording in progress to stop. This desktop cannot record; use /screenshot.', 400),
  },
  '/wallpaper': {
    method: 'POST',
    run: async () =>
      jsonAnswer({ error: 'Wallpaper file not found: this desktop has a plain background.' }, 404),
  },
  '/setup/change_wallpaper': {
    method: 'POST',
    run: async (machine, call) => {
      const { path } = jsonOf(call, z.object({ path: z.string().default('') }));
      if (path === '') return textAnswer('Path not supplied!', 400);
      const file = quotePath(await expandedPath(machine, path));
      if ((await machine.run(`[ -e ${file} ]`)).code !== 0) return textAnswer(`File not found: ${path}`, 404);
      const why = 'this desktop has a plain background. Leave the step out of the task';
      return textAnswer(`Failed to change wallpaper. Error: ${why}.`, 500);
    },
  },
};
