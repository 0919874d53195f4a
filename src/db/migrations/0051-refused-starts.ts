/** Why the signature provider refused to send a contract, in its own words, until it is sent or another attempt ends otherwise. */
export const sql = `ALTER TABLE contracts ADD COLUMN refusal TEXT`;
