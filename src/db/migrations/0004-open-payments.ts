/** The bulk payment check asks about the sessions that may still be paid: few, however many there have been. */
export const sql = `
CREATE INDEX paymentsOpen ON payments (id) WHERE status = 'open';
`;
