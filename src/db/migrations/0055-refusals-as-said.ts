/** Refusals of every kind are kept, in a form that is told in the reader's language; so far only of one kind, as plain text. */
export const sql = `
UPDATE contracts
  SET refusal = json_object('words', 'provider_rejects', 'params', json_object('answer', refusal, 'seconds', ''))
  WHERE refusal IS NOT NULL
`;
