/** Faults around PDFs on disk, and whose they are. */
import { fault, type PlantedFault } from '../fault.js';

const RESTORES = { requests: 18, often: 'restore' } as const;

export const DOCUMENT_FAULTS: readonly PlantedFault[] = [
  fault('a PDF is not synced before its row', {
    file: 'core/contracts/contract-files.js',
    find: 'await fsync(file);',
    put: '',
  }),
  fault(
    "a PDF's name is not synced before its row",
    {
      file: 'core/contracts/contract-files.js',
      find: 'if (isPlaced)\n            await syncDirectory(dirname(path));',
      put: 'if (isPlaced) {}',
    },
    { often: 'power' },
  ),
  {
    name: 'after a restore a new contract takes the document of a lost one',
    edits: [
      { file: 'core/contracts/new-contract.js', find: 'clearDraft(ctx, contract.id);', put: '' },
      // Either of the two guards is enough: the old file goes, and a file with another digest is not used.
      {
        file: 'core/contracts/contract-files.js',
        find: 'if (draftSha256 === null)\n        return undefined;',
        put: '',
      },
      {
        file: 'core/contracts/contract-files.js',
        find: 'isIts = draftSha256 === sha256;',
        put: 'isIts = true;',
      },
    ],
    world: RESTORES,
  },
  fault(
    'a restore brings names back: payments of lost contracts count for new ones',
    {
      file: 'core/installation/identity.js',
      find: "const key = randomBytes(8).toString('hex');",
      put: "const { id } = db.raw.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM contracts').get();\n    const key = String(id).padStart(16, '0');",
    },
    RESTORES,
  ),
  fault(
    'a restore throws its plan away before the names of the files are on disk',
    {
      file: 'core/backup/swap.js',
      find: 'for (const directory of [old, dataDir])\n        syncNow(directory);',
      put: '',
    },
    RESTORES,
  ),
  fault(
    'a snapshot assumes that the files of contracts are unchanged',
    {
      file: 'core/backup/write-snapshot.js',
      find: 'if (before && seen !== null && seen === before.contractsSeen && !isThorough)',
      put: 'if (before)',
    },
    RESTORES,
  ),
  fault("the mail holds another contract's PDF", {
    file: 'core/mail/send-mail.js',
    find: 'requireContract(ctx.db, { id: contractId })',
    put: 'requireContract(ctx.db, { id: Math.max(1, contractId - 1) })',
  }),
];
