/**
 * Why something failed is stored as a word or a code beside the message. Rows of earlier versions have the message
 * only, so it is read here, once.
 */
const FILE_CODES = ['EROFS', 'EACCES', 'EPERM'];

export const sql = `
ALTER TABLE failingRuns ADD COLUMN code TEXT;
UPDATE failingRuns SET code = substr(error, 1, instr(error, ':') - 1)
  WHERE substr(error, 1, instr(error, ':') - 1) IN (${FILE_CODES.map((code) => `'${code}'`).join(', ')});
UPDATE jobs SET errors = json_set(errors, '$[#-1].reason', 'recipient_refused')
  WHERE (state = 'available' OR state = 'failed') AND kind = 'send-mail' AND json_array_length(errors) > 0
    AND lastError GLOB '*answered RCPT TO: 5[0-9][0-9]*';
`;
