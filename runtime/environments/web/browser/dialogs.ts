// Dialogs of a tab that wait for an answer: those of scripts, which block the page meanwhile, and file choosers.

import { BoundaryError } from '../../../core/failure.ts';
import { isDocumentGone } from './connection.ts';
import type { CdpCommands, CdpSession } from './session.ts';

export type WebDialog =
  | {
      readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
      /** Empty for `beforeunload`: browsers do not show the text of the page. */
      readonly message: string;
      /** The text in the field of a prompt. */
      readonly text: string;
    }
  | { readonly kind: 'files' };

export interface DialogReply {
  readonly accept: boolean;
  /** For a prompt. Without it, the text of the dialog stays. */
  readonly text?: string;
  /** Absolute paths, for a file chooser. */
  readonly files?: readonly string[];
}

const MAX_CHARACTERS = 2000;

type ResolvedNode = CdpCommands['DOM.resolveNode']['returnType'];

/** The texts of Chromium when a field is gone, for example with its frame, or takes no files any more. */
const isFieldGone = (error: unknown): boolean =>
  isDocumentGone(error) ||
  (error instanceof BoundaryError &&
    /(?:No|find) node|find object|not belong to the document|not a file input/.test(error.failure.message));

interface Pending {
  readonly dialog: WebDialog;
  readonly answer: (reply: DialogReply) => Promise<unknown>;
}

export class TabDialogs {
  /** While true, a page cannot object to being left. */
  isLeaving = false;
  readonly #session: CdpSession;
  readonly #opened: () => void;
  #script: Pending | undefined;
  #chooser: Pending | undefined;

  /** Calls `opened` whenever a dialog opens. */
  constructor(session: CdpSession, opened: () => void) {
    this.#session = session;
    this.#opened = opened;
    session.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt }) => {
      if (type === 'beforeunload' && this.isLeaving)
        // The page may be gone.
        return void this.#answerScript({ accept: true }).catch(() => undefined);
      const dialog: WebDialog = {
        kind: type,
        message: type === 'beforeunload' ? '' : message.slice(0, MAX_CHARACTERS),
        text: (defaultPrompt ?? '').slice(0, MAX_CHARACTERS),
      };
      this.#script = {
        dialog,
        answer: reply => this.#answerScript({ text: dialog.text, ...reply }),
      };
      this.#opened();
    });
    session.on('Page.javascriptDialogClosed', () => {
      this.#script = undefined;
    });
    session.on('Page.fileChooserOpened', ({ backendNodeId }) => {
      // Without a field, the chooser is one of an API that returns file handles. The browser has cancelled it.
      if (backendNodeId === undefined) return;
      const resolve = () => session.send('DOM.resolveNode', { backendNodeId });
      // The object keeps a field alive that is in no document.
      const field = resolve();
      field.catch(() => undefined);
      this.#chooser = {
        dialog: { kind: 'files' },
        // A dialog of a script can block the first reply until its deadline.
        answer: ({ accept, files }) => this.#choose(field.catch(resolve), accept ? (files ?? []) : []),
      };
      this.#opened();
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#chooser = undefined;
    });
  }

  get pending(): WebDialog | undefined {
    return (this.#script ?? this.#chooser)?.dialog;
  }

  /** Has no effect if no dialog waits. */
  async answer(reply: DialogReply): Promise<void> {
    const pending = this.#script ?? this.#chooser;
    if (this.#script !== undefined) this.#script = undefined;
    else this.#chooser = undefined;
    await pending?.answer(reply);
  }

  #answerScript({ accept, text }: DialogReply): Promise<unknown> {
    return this.#session.send('Page.handleJavaScriptDialog', {
      accept,
      ...(text !== undefined && { promptText: text }),
    });
  }

  async #choose(field: Promise<ResolvedNode>, files: readonly string[]): Promise<void> {
    let objectId: string | undefined;
    try {
      ({ objectId } = (await field).object);
      if (objectId === undefined) return;
      if (files.length > 0)
        await this.#session.send('DOM.setFileInputFiles', { objectId, files: [...files] });
      else
        await this.#session.send('Runtime.callFunctionOn', {
          objectId,
          functionDeclaration: 'function () { this.dispatchEvent(new Event("cancel", { bubbles: true })); }',
        });
    } catch (error) {
      // While a listener of the field shows a dialog, the command has no reply.
      if (!this.#session.isOpen || !(isFieldGone(error) || this.#script !== undefined)) throw error;
    } finally {
      if (objectId !== undefined)
        this.#session.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
    }
  }
}
