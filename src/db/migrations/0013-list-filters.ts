/** The filter of equipments. */
export const sql = `
CREATE INDEX equipmentsBySerialNumber ON equipments (serialNumber);
`;
