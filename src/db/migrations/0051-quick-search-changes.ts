/**
 * With `secure-delete` each text that leaves the index takes milliseconds: a customer of 4,000 requests who corrected a phone number
 * kept everybody waiting for twelve seconds. An erasure rewrites the indexes instead (db/users/erase.ts).
 */
export const sql = `
INSERT INTO requestWords (requestWords, rank) VALUES ('secure-delete', 0);
INSERT INTO customerWords (customerWords, rank) VALUES ('secure-delete', 0);
`;
