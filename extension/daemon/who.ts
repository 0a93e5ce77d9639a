// What daemons call this client in what they note.

import * as vscode from 'vscode';

export const WHO = `${vscode.env.appName} (Dartboard)`;
