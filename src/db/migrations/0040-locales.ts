/** The language in which somebody gets mails, pages and contracts; null: that of the settings. */
export const sql = `
ALTER TABLE users ADD COLUMN locale TEXT CHECK (locale IN ('en', 'fr'));
`;
