/**
 * A start or a reset that stopped half-way is looked after. Of those from before nobody noted whether the provider was
 * asked to send the contract: with a signature request there, it may have been.
 */
export const sql = `
ALTER TABLE contracts ADD COLUMN activationAskedAt TEXT;
UPDATE contracts SET activationAskedAt = createdAt WHERE signId IS NOT NULL;
CREATE INDEX contractsUnfinished ON contracts (id) WHERE status = 'PENDING' AND signerId IS NULL;
`;
