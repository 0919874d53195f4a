/** What the words of a contract were made of, so that the next start sees whether they still say what is wanted. */
export const sql = `
ALTER TABLE contracts ADD COLUMN termsDigest TEXT;
`;
