// Getters of the machine itself: commands, windows, folders, the accessibility tree.

import * as z from 'zod';
import { checked, command, type OsworldFunction, text } from '../task-run.ts';

export const MACHINE_GETTERS: Readonly<Record<string, OsworldFunction<unknown>>> = {
  vm_command_line: checked('getter vm_command_line', command, async ({ machine }, parameters) => {
    const { output, isRefused } = await machine.run(parameters);
    return isRefused ? null : output;
  }),
  vm_command_error: checked('getter vm_command_error', command, async ({ machine }, parameters) => {
    const { errors, isRefused } = await machine.run(parameters);
    return isRefused ? null : errors;
  }),
  vm_terminal_output: checked('getter vm_terminal_output', {}, ({ machine }) => machine.terminalText()),
  vm_screen_size: checked('getter vm_screen_size', {}, ({ machine }) => machine.screenSize()),
  vm_window_size: checked(
    'getter vm_window_size',
    { app_class_name: text },
    async ({ machine }, { app_class_name: name }) => (await machine.windowSize(name)) ?? null,
  ),
  vm_wallpaper: checked('getter vm_wallpaper', { dest: text.optional() }, async ({ machine }, { dest }) => {
    const bytes = await machine.wallpaper();
    return bytes === undefined ? null : { name: dest ?? 'wallpaper.png', bytes };
  }),
  list_directory: checked('getter list_directory', { path: text }, ({ machine }, { path }) =>
    machine.directory(path),
  ),
  accessibility_tree: checked('getter accessibility_tree', {}, ({ machine }) => machine.accessibilityTree()),
  time_diff_range: checked(
    'getter time_diff_range',
    { diff_range_in_minutes: z.union([text, z.number()]) },
    async (_, { diff_range_in_minutes: minutes }) => minutes,
  ),
  /** The program that opens most kinds of films. */
  default_video_player: checked('getter default_video_player', {}, async ({ machine }) => {
    const counts = new Map<string, number>();
    for (const kind of FILM_KINDS) {
      const { output } = await machine.run({ command: ['xdg-mime', 'query', 'default', `video/${kind}`] });
      if (output !== '') counts.set(output, (counts.get(output) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    return most?.[0] ?? 'unknown';
  }),
};

const FILM_KINDS = (
  '3gpp 3gpp2 avi divx dv fli flv mp2t mp4 mp4v-es mpeg msvideo ogg quicktime vnd.divx vnd.mpegurl vnd.rn-realvideo webm x-anim ' +
  'x-avi x-flc x-fli x-flv x-m4v x-matroska x-mpeg x-mpeg-system x-mpeg2 x-ms-asf x-ms-asf-plugin x-ms-asx x-ms-wm x-ms-wmv ' +
  'x-ms-wmx x-ms-wvx x-msvideo x-nsv x-ogm x-ogm+ogg x-theora x-theora+ogg'
).split(' ');
