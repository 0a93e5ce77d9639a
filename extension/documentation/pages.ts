// The pages of the documentation that come with the extension.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface DocumentationPage {
  /** Its title, for a list of choices. */
  readonly label: string;
  /** Its file, which messages of the program name. */
  readonly description: string;
}

/** In the order of their titles. */
export async function pagesIn(folder: string): Promise<readonly DocumentationPage[]> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.md'));
  const pages = await Promise.all(
    files.map(async file => ({
      label: titleOf(await readFile(join(folder, file), 'utf8')) ?? file,
      description: `docs/${file}`,
    })),
  );
  return pages.toSorted((one, other) => one.label.localeCompare(other.label));
}

const titleOf = (markdown: string): string | undefined => /^# (.+)$/m.exec(markdown)?.[1];
