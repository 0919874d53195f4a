/** Faults around PDFs on disk, and whose they are. */
import { fault, type PlantedFault } from '../fault.js';

export const DOCUMENT_FAULTS: readonly PlantedFault[] = [
  fault('a PDF is not synced before its row', {
    file: 'core/contracts/contract-files.js',
    find: 'await fsync(file);',
    put: '',
  }),
  fault("a PDF's name is not synced before its row", {
    file: 'core/contracts/contract-files.js',
    find: 'await syncDirectory(dirname(path));',
    put: '',
  }),
  fault("the mail holds another contract's PDF", {
    file: 'core/mail/send-mail.js',
    find: 'path: signedPdfPath(ctx, contractId),',
    put: 'path: signedPdfPath(ctx, Math.max(1, contractId - 1)),',
  }),
];
