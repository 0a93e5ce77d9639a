// Routes that read and write files.

import { posix } from 'node:path';
import * as z from 'zod';
import { quotePath } from '../../environments/command.ts';
import { bytesAnswer, jsonAnswer, textAnswer } from '../answer.ts';
import { answered } from '../commands.ts';
import { directoryTree } from '../directory-tree.ts';
import { badCall, formOf, type GuestRoutes, jsonOf } from '../guest-call.ts';
import { expandedPath } from '../guest-paths.ts';

export const FILE_ROUTES: GuestRoutes = {
  '/file': {
    method: 'POST',
    run: async (machine, call) => {
      const path = (await formOf(call)).get('file_path');
      if (typeof path !== 'string') throw badCall('file_path is required');
      return answered(
        async () => {
          const bytes = await machine.readFile(await expandedPath(machine, path));
          if (bytes === undefined) return jsonAnswer({ error: 'File not found' }, 404);
          return bytesAnswer(bytes, 'application/octet-stream');
        },
        message => jsonAnswer({ error: `Failed to serve file: ${message}` }, 500),
      );
    },
  },
  '/setup/upload': {
    method: 'POST',
    run: async (machine, call) => {
      const form = await formOf(call);
      const [path, data] = [form.get('file_path'), form.get('file_data')];
      if (typeof path !== 'string' || data === undefined)
        throw badCall('file_path and file_data are required');
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      return answered(
        async () => {
          await machine.writeFile(await expandedPath(machine, path), bytes);
          return textAnswer(`File Uploaded: ${bytes.length} bytes`);
        },
        message => jsonAnswer({ error: `Failed to upload file: ${message}` }, 500),
      );
    },
  },
  '/list_directory': {
    method: 'POST',
    run: async (machine, call) => {
      const { path } = jsonOf(call, z.object({ path: z.string().min(1) }));
      return answered(
        async () => {
          const root = await expandedPath(machine, path);
          const tree = await directoryTree(machine, root);
          if (tree === undefined) return jsonAnswer({ error: 'The provided path is not a directory' }, 400);
          return jsonAnswer({ directory_tree: tree });
        },
        message => jsonAnswer({ error: message }, 500),
      );
    },
  },
  '/desktop_path': {
    method: 'POST',
    run: async machine => {
      const home = await expandedPath(machine, '~');
      const path = posix.join(home, 'Desktop');
      if ((await machine.run(`[ -d ${quotePath(path)} ]`)).code === 0)
        return jsonAnswer({ desktop_path: path });
      return jsonAnswer({ error: 'Unsupported operating system or desktop path not found' }, 404);
    },
  },
  /** The client itself downloads files and uploads them. */
  '/setup/download_file': {
    method: 'POST',
    run: async (_machine, call) => {
      const { url, path } = jsonOf(
        call,
        z.object({ url: z.string().default(''), path: z.string().default('') }),
      );
      if (url === '' || path === '') return textAnswer('Path or URL not supplied!', 400);
      const why = 'This desktop has no network. Download the file on another machine, and use /setup/upload.';
      return textAnswer(`Failed to download ${url}. No retries left. Error: ${why}`, 500);
    },
  },
};
