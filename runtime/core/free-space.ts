// The free space on the disk of a folder, for this user.

import { statfs } from 'node:fs/promises';

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export const freeMbOf = async (folder: string): Promise<number> =>
  Math.floor((await freeBytesOf(folder)) / 2 ** 20);
