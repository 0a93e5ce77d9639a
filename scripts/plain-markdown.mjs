// Markdown for readers who have only a part of the files: without pictures, and without links to files that they do not have.

/** `isThere` tells of the target of a link whether readers have it. */
export const withoutRelativeLinks = (markdown, isThere = () => false) =>
  markdown
    .replaceAll(/^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+/gm, '')
    .replaceAll(/(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]*)\)/g, (link, text, target) =>
      isThere(target) ? link : text,
    );
