// Loads the PDF library. Its build for Node 20 replaces functions of the language for the whole process: afterwards JSON.stringify takes 50 times
// as long, and Array.push three times. The library works without that, so the functions of the process are put back.

export type PdfLibrary = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

let loaded: Promise<PdfLibrary> | undefined;

export function pdfLibrary(): Promise<PdfLibrary> {
  loaded ??= loadPdfLibrary();
  return loaded;
}

async function loadPdfLibrary(): Promise<PdfLibrary> {
  const putBack = savedBuiltIns();
  try {
    // The library loads this part at its first document, unless it is there.
    // @ts-expect-error The package has no types of it.
    await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    putBack();
  }
}

/** Returns a function that restores every function that the objects of the language have now. */
function savedBuiltIns(): () => void {
  const saved = languageObjects().flatMap(owner =>
    Object.entries(Object.getOwnPropertyDescriptors(owner)).map(([name, before]) => ({
      owner,
      name,
      before,
    })),
  );
  return () => {
    for (const { owner, name, before } of saved)
      if (before.configurable && Object.getOwnPropertyDescriptor(owner, name)?.value !== before.value)
        Object.defineProperty(owner, name, before);
  };
}

const languageObjects = (): readonly object[] => [
  JSON,
  ...[Array, ArrayBuffer, Function, Map, Object, Promise, RegExp, Set, String, Uint8Array].flatMap(each => [
    each,
    each.prototype as object,
  ]),
];
