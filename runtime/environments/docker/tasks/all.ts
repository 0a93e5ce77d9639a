// The tasks that the program brings along for the small image: one file each.

import calculatorInTurn from './calculator-in-turn.json';
import calculatorToNote from './calculator-to-note.json';
import calculatorWorkOut from './calculator-work-out.json';
import fileCopy from './file-copy.json';
import fileDelete from './file-delete.json';
import fileMissing from './file-missing.json';
import fileMove from './file-move.json';
import fileOpenAppend from './file-open-append.json';
import fileRename from './file-rename.json';
import filesDeleteTwo from './files-delete-two.json';
import filesHidden from './files-hidden.json';
import folderNew from './folder-new.json';
import noteAppend from './note-append.json';
import noteByMail from './note-by-mail.json';
import noteCapitals from './note-capitals.json';
import noteEmpty from './note-empty.json';
import noteFirstLine from './note-first-line.json';
import noteLetters from './note-letters.json';
import noteRemove from './note-remove.json';
import noteReplace from './note-replace.json';
import noteSaveAs from './note-save-as.json';
import noteSaveInFolder from './note-save-in-folder.json';
import noteTwoLines from './note-two-lines.json';
import noteWrite from './note-write.json';
import numberEnter from './number-enter.json';
import { type DockerTemplate, templateFromFile } from './template.ts';
import terminalCopy from './terminal-copy.json';
import terminalExecutable from './terminal-executable.json';
import terminalFolder from './terminal-folder.json';
import terminalRemove from './terminal-remove.json';
import terminalTouch from './terminal-touch.json';
import windowClose from './window-close.json';

const FILES: Readonly<Record<string, unknown>> = {
  'calculator-in-turn.json': calculatorInTurn,
  'calculator-to-note.json': calculatorToNote,
  'calculator-work-out.json': calculatorWorkOut,
  'file-copy.json': fileCopy,
  'file-delete.json': fileDelete,
  'file-missing.json': fileMissing,
  'file-move.json': fileMove,
  'file-open-append.json': fileOpenAppend,
  'file-rename.json': fileRename,
  'files-delete-two.json': filesDeleteTwo,
  'files-hidden.json': filesHidden,
  'folder-new.json': folderNew,
  'note-append.json': noteAppend,
  'note-by-mail.json': noteByMail,
  'note-capitals.json': noteCapitals,
  'note-empty.json': noteEmpty,
  'note-first-line.json': noteFirstLine,
  'note-letters.json': noteLetters,
  'note-remove.json': noteRemove,
  'note-replace.json': noteReplace,
  'note-save-as.json': noteSaveAs,
  'note-save-in-folder.json': noteSaveInFolder,
  'note-two-lines.json': noteTwoLines,
  'note-write.json': noteWrite,
  'number-enter.json': numberEnter,
  'terminal-copy.json': terminalCopy,
  'terminal-executable.json': terminalExecutable,
  'terminal-folder.json': terminalFolder,
  'terminal-remove.json': terminalRemove,
  'terminal-touch.json': terminalTouch,
  'window-close.json': windowClose,
};

export const TEMPLATES: readonly DockerTemplate[] = Object.entries(FILES).map(([file, value]) =>
  templateFromFile(value, file),
);
