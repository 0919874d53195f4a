/** Contracts are counted by time and status as requests are, so that a page in the middle of their list costs no more than the first. */
import { countsByTime } from './0008-request-counts.js';

export const sql = `
DROP TRIGGER contractCountsInsert;
DROP TRIGGER contractCountsDelete;
DROP TRIGGER contractCountsUpdate;
DROP TABLE contractCounts;
${countsByTime('contracts')}
DROP INDEX contractsByCreation;
CREATE INDEX contractsByCreation ON contracts (createdAt, id);
-- Not the bare status: the planner would take the index for the daily expiry, and sort.
CREATE INDEX contractsByStatus ON contracts (status || '', createdAt, id);
`;
