/** Finds the enabled administrators, of whom one must always be left. */
export const sql = `
CREATE INDEX usersAdministrators ON users (id) WHERE role = 'ROLE_ADMIN' AND enabled = 1;
`;
