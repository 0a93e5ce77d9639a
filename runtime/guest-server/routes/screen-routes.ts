// Routes that read the screen, its elements and its windows.

import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { pngOf, pngRows } from '../../core/png.ts';
import { bytesAnswer, jsonAnswer, textAnswer } from '../answer.ts';
import { badCall, formOf, type GuestRoutes } from '../guest-call.ts';
import { treeXml } from '../tree-xml.ts';
import { windowList } from '../window-list.ts';

const compress = promisify(deflate);

export const SCREEN_ROUTES: GuestRoutes = {
  /** Without the pointer, which OSWorld's server draws into the picture. */
  '/screenshot': {
    method: 'GET',
    run: async machine => {
      const pixels = await machine.picture();
      const png = pngOf(pixels, await compress(pngRows(pixels), { level: 1 }));
      return bytesAnswer(png, 'image/png');
    },
  },
  '/accessibility': {
    method: 'GET',
    run: async machine => jsonAnswer({ AT: treeXml(await machine.tree(), machine.size) }),
  },
  /** Only a terminal of GNOME has its text in the tree, also in OSWorld. Without one the output is null. */
  '/terminal': {
    method: 'GET',
    run: async machine => {
      const { nodes } = await machine.tree();
      const found = nodes.find(({ role, states }) => role === 'terminal' && states.includes('focused'));
      return jsonAnswer({ output: found?.value.trimEnd() ?? null, status: 'success' });
    },
  },
  '/screen_size': {
    method: 'POST',
    run: async ({ size: { width, height } }) => jsonAnswer({ width, height }),
  },
  '/window_size': {
    method: 'POST',
    run: async (machine, call) => {
      const name = (await formOf(call)).get('app_class_name');
      if (typeof name !== 'string') throw badCall('app_class_name is required');
      const found = (await windowList(machine)).find(({ classes }) => classes.includes(name.toLowerCase()));
      if (found !== undefined) return jsonAnswer({ width: found.width, height: found.height });
      const error = `No window has the class ${JSON.stringify(name)}. Launch its program first.`;
      return jsonAnswer({ error }, 404);
    },
  },
  '/cursor_position': {
    method: 'GET',
    run: async ({ pointer: { x, y } }) => jsonAnswer([x, y]),
  },
  '/platform': { method: 'GET', run: async () => textAnswer('Linux') },
};
