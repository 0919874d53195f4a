/** Indexes of the lists: each filter finds its rows in the order of the list. */
export const sql = `
-- Not by status first: the planner would take it for the daily expiry, and sort.
CREATE INDEX contractsByCreation ON contracts (createdAt, id, status);
CREATE INDEX equipmentsByName ON equipments (name, id);
CREATE INDEX equipmentsByOwnerAndName ON equipments (ownerId, name, id);
`;
