// Removes the temporary folders of a test file after its tests. A setup file, because files may share a process and its modules, and a
// module registers its hooks with the first file that imports it.

import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary.ts';

afterAll(removeTemporaryFolders);
