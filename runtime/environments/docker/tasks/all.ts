// The tasks that the program brings along for the small image: one file each.

import calculatorToNote from './calculator-to-note.json';
import calculatorWorkOut from './calculator-work-out.json';
import fileCopy from './file-copy.json';
import fileDelete from './file-delete.json';
import fileMissing from './file-missing.json';
import fileMove from './file-move.json';
import fileRename from './file-rename.json';
import filesHidden from './files-hidden.json';
import folderNew from './folder-new.json';
import noteAppend from './note-append.json';
import noteByMail from './note-by-mail.json';
import noteCapitals from './note-capitals.json';
import noteEmpty from './note-empty.json';
import noteFirstLine from './note-first-line.json';
import noteReplace from './note-replace.json';
import noteSaveAs from './note-save-as.json';
import noteSaveInFolder from './note-save-in-folder.json';
import noteWrite from './note-write.json';
import numberEnter from './number-enter.json';
import { type Template, templateFromFile } from './template.ts';
import terminalExecutable from './terminal-executable.json';
import terminalFolder from './terminal-folder.json';
import terminalTouch from './terminal-touch.json';
import windowClose from './window-close.json';

const FILES: Readonly<Record<string, unknown>> = {
  'calculator-to-note.json': calculatorToNote,
  'calculator-work-out.json': calculatorWorkOut,
  'file-copy.json': fileCopy,
  'file-delete.json': fileDelete,
  'file-missing.json': fileMissing,
  'file-move.json': fileMove,
  'file-rename.json': fileRename,
  'files-hidden.json': filesHidden,
  'folder-new.json': folderNew,
  'note-append.json': noteAppend,
  'note-by-mail.json': noteByMail,
  'note-capitals.json': noteCapitals,
  'note-empty.json': noteEmpty,
  'note-first-line.json': noteFirstLine,
  'note-replace.json': noteReplace,
  'note-save-as.json': noteSaveAs,
  'note-save-in-folder.json': noteSaveInFolder,
  'note-write.json': noteWrite,
  'number-enter.json': numberEnter,
  'terminal-executable.json': terminalExecutable,
  'terminal-folder.json': terminalFolder,
  'terminal-touch.json': terminalTouch,
  'window-close.json': windowClose,
};

export const TEMPLATES: readonly Template[] = Object.entries(FILES).map(([file, value]) =>
  templateFromFile(value, file),
);
