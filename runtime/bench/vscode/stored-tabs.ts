// The tabs that VS Code restores after a reload of the page. It stores them every five seconds while it is
// idle, and not when the page closes: a test that reloads earlier gets an older window.

import type { Page } from 'playwright-core';

/** The stored tabs as JSON; empty if there are none. */
export const storedTabs = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const texts: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db-')) continue;
      const database = await resultOf(indexedDB.open(name));
      try {
        const store = database.transaction('ItemTable').objectStore('ItemTable');
        const tabs = await resultOf(store.get('memento/workbench.parts.editor'));
        if (typeof tabs === 'string') texts.push(tabs);
      } finally {
        database.close();
      }
    }
    return texts.join('\n');
  });
