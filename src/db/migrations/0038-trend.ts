/** The weeks of the dashboard: signatures and payments are found by their time, however many there are. */
export const sql = `
CREATE INDEX contractsBySigning ON contracts (signedAt, createdAt) WHERE signedAt IS NOT NULL;
CREATE INDEX paymentsByPaying ON payments (paidAt, contractId) WHERE paidAt IS NOT NULL;
`;
