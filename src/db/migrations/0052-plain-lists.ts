/** Lists are counted when they are asked for; every list has an index in each of its orders. */
export const sql = `
DROP TRIGGER requestCountsInsert;
DROP TRIGGER requestCountsUpdate;
DROP TRIGGER requestCountsDelete;
DROP TABLE requestCounts;
DROP TRIGGER contractCountsInsert;
DROP TRIGGER contractCountsUpdate;
DROP TRIGGER contractCountsDelete;
DROP TABLE contractCounts;
DROP TRIGGER failedErrorOfNewJob;
DROP TRIGGER failedErrorOfChangedJob;
DROP TRIGGER failedErrorOfRemovedJob;
DROP TABLE failedErrors;
DROP INDEX requestsByCreation;
CREATE INDEX requestsByCreation ON requests (createdAt, id, status);
CREATE INDEX requestsBySince ON requests (statusSince, id, status);
DROP INDEX contractsByStatus;
DROP INDEX contractsByCreation;
CREATE INDEX contractsByCreation ON contracts (createdAt, id, status);
CREATE INDEX unknownSignaturesByName ON unknownSignatures (externalId);
`;
