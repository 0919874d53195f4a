/** Since when a request is in its status, so that who waits longest is found at once. */
export const sql = `
ALTER TABLE requests ADD COLUMN statusSince TEXT NOT NULL DEFAULT '';

UPDATE requests SET statusSince = coalesce(
  (SELECT max(at) FROM history
    WHERE requestId = requests.id AND what = 'request.moved' AND json_extract(detail, '$.to') = requests.status),
  createdAt
);

CREATE INDEX requestsWaiting ON requests (status, statusSince, id)
  WHERE status = 'WAITING_SIGNATURE' OR status = 'WAITING_PAYMENT';
`;
