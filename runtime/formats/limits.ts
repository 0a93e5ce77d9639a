// The limits of an import. A source is untrusted: each limit bounds memory or time, whatever the files contain. docs/formats.md lists them.

const MB = 2 ** 20;

/** Of a folder or an archive. */
export const MAX_SOURCE_FILES = 1_000_000;
export const MAX_FOLDER_DEPTH = 16;
export const MAX_NAME_LENGTH = 1024;

/** The text of one trajectory: a file, or a line of a file of several. A stored trajectory has each reply twice, and 64 MB at most. */
export const MAX_TRAJECTORY_TEXT_BYTES = 16 * MB;
/** Of one small text file, such as a score. */
export const MAX_SCORE_BYTES = 1024;
/** Of a file of lines inside an archive, because an archive has no random access within an entry. */
export const MAX_ARCHIVED_TEXT_BYTES = 256 * MB;

export const MAX_PICTURE_BYTES = 32 * MB;
export const MAX_PICTURE_PIXELS = 64_000_000;
/** All pictures of one trajectory: it is in memory while it is stored. */
export const MAX_PICTURES_BYTES = 512 * MB;

export const MAX_STEPS = 10_000;
export const MAX_INSTRUCTION_LENGTH = 100_000;
/** A longer reply is kept as text, and its action is not read. */
export const MAX_REPLY_LENGTH = 200_000;
/** An action beyond it is kept as text. */
export const MAX_COORDINATE = 65_535;

/** Of an archive. A DEFLATE stream expands at most 1032 times; texts of trajectories expand 10 to 50 times. */
export const MAX_EXPANSION = 250;
export const MAX_DIRECTORY_BYTES = 128 * MB;
