// Getters of files that applications write: settings of VLC, GIMP and VS Code, parts of slides and spreadsheets.

import { posix } from 'node:path';
import * as z from 'zod';
import { OfficePackage } from '../../../tasks/formats/office-package.ts';
import { readWorkbook, WorkbookError } from '../../../tasks/formats/spreadsheet/workbook.ts';
import { attribute, descendants, XmlError } from '../../../tasks/formats/xml.ts';
import { ArchiveError } from '../../../tasks/formats/zip.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import { frameOf, lastRowTexts } from '../../../tasks/metrics/spreadsheets/data-frame.ts';
import { checked, type OsworldFunction, type TaskRun, text } from '../task-run.ts';

const VLC_SETTINGS = '~/.config/vlc/vlcrc';
const GIMP_SETTINGS = '~/.config/GIMP/2.10';

async function fileAt({ machine }: TaskRun, path: string, name: string): Promise<TaskFile | null> {
  const bytes = await machine.readFile(path);
  return bytes === undefined ? null : { name, bytes };
}

const UNREADABLE = [ArchiveError, XmlError, WorkbookError, URIError];

/** The content of a file of the agent; null if it cannot be read, which is a failure of the agent. */
function contentOf<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (UNREADABLE.some(each => error instanceof each)) return null;
    throw error;
  }
}

const slide = { ppt_file_path: text, slide_index: z.coerce.number().int().nonnegative(), dest: text };

/** The picture of a slide's background, or its sound: a part of the presentation, or a file of the machine that it links to. */
const slideMedia = (
  type: string,
  find: (presentation: OfficePackage, path: string) => { target: string; isExternal: boolean } | undefined,
): OsworldFunction<TaskFile | null> =>
  checked(`getter ${type}`, slide, async (run, { ppt_file_path: path, slide_index: index, dest }) => {
    const bytes = await run.machine.readFile(path);
    if (bytes === undefined) return null;
    const media = contentOf(() => {
      const presentation = new OfficePackage(bytes);
      const found = find(presentation, `ppt/slides/slide${index + 1}.xml`);
      if (found === undefined) return null;
      if (found.isExternal || found.target.startsWith('file:'))
        return decodeURIComponent(found.target.replace(/^file:\/\//, ''));
      const part = presentation.bytes(found.target);
      return part === undefined ? null : { name: posix.basename(found.target), bytes: part };
    });
    return typeof media === 'string' ? fileAt(run, media, dest) : media;
  });

export const APPLICATION_GETTERS: Readonly<Record<string, OsworldFunction<unknown>>> = {
  vlc_config: checked('getter vlc_config', { dest: text }, (run, { dest }) =>
    fileAt(run, VLC_SETTINGS, dest),
  ),
  vlc_playing_info: checked('getter vlc_playing_info', { dest: text }, async ({ machine }, { dest }) => {
    const bytes = await machine.vlcStatus();
    return bytes === undefined ? null : { name: dest, bytes };
  }),
  gimp_config_file: checked(
    'getter gimp_config_file',
    { file_name: text, dest: text },
    (run, { file_name: name, dest }) => fileAt(run, `${GIMP_SETTINGS}/${name}`, dest),
  ),
  /** An extension in the image writes the answer of a command into a file. */
  vscode_config: checked(
    'getter vscode_config',
    { vscode_extension_command: text, path: text, dest: text },
    async (run, { vscode_extension_command: name, path, dest }) => {
      await run.machine.typeCommand(['ctrl', 'shift', 'p'], name);
      await run.clock.sleep(EXTENSION_MS);
      return fileAt(run, path, dest);
    },
  ),
  /** The last row of the first sheet as texts; null without a readable file. */
  content_from_vm_file: checked(
    'getter content_from_vm_file',
    { path: text, file_type: z.literal('xlsx'), file_content: z.literal('last_row') },
    async ({ machine }, { path }) => {
      const bytes = await machine.readFile(path);
      if (bytes === undefined) return null;
      return contentOf(() => {
        const [sheet] = readWorkbook(bytes).sheets;
        return sheet === undefined ? null : lastRowTexts(frameOf(sheet));
      });
    },
  ),
  background_image_in_slide: slideMedia('background_image_in_slide', (presentation, path) => {
    const document = presentation.xml(path);
    if (document === undefined) return undefined;
    const blip = descendants(document, 'bgPr').flatMap(background => descendants(background, 'blip'))[0];
    const id = attribute(blip, 'embed');
    return presentation.relationships(path).find(each => each.type.includes('image') && each.id === id);
  }),
  audio_in_slide: slideMedia('audio_in_slide', (presentation, path) =>
    presentation.relationships(path).find(({ type }) => type.includes('audio')),
  ),
};

/** The extension has written its file by then, as in OSWorld. */
const EXTENSION_MS = 1000;
