/**
 * A lock and a running job name the process that holds them in full, not by its number alone, which another process may have
 * by now. The old number stays as a name that tells less.
 */
export const sql = `
ALTER TABLE jobs ADD COLUMN leaseHolder TEXT;
UPDATE jobs SET leaseHolder = CAST(leasePid AS TEXT) WHERE state = 'running';
ALTER TABLE jobs DROP COLUMN leasePid;

ALTER TABLE locks ADD COLUMN holder TEXT NOT NULL DEFAULT '';
UPDATE locks SET holder = CAST(pid AS TEXT);
ALTER TABLE locks DROP COLUMN pid;
`;
