// What VS Code in a browser has kept for the time after a reload. It keeps its tabs in the browser's database, every five seconds, when it
// has nothing else to do; when the page goes it keeps nothing. Who reloads earlier finds an older window.

import type { Page } from 'playwright-core';

/** The tabs of the window, as they were kept last; '' where none were. */
export const keptTabs = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const texts: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db-')) continue;
      const database = await asked(indexedDB.open(name));
      try {
        const kept = await asked(
          database.transaction('ItemTable').objectStore('ItemTable').get('memento/workbench.parts.editor'),
        );
        if (typeof kept === 'string') texts.push(kept);
      } finally {
        database.close();
      }
    }
    return texts.join('\n');
  });
