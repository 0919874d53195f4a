/** Core decides from when on the office has to look at a request, and db/jobs keeps the lanes. The history is found by any word. */
export const sql = `
DROP TRIGGER dueWithRequest;
DROP TRIGGER dueWithNewRequest;
DROP TRIGGER dueWithNewContract;
DROP TRIGGER dueWithContract;
DROP TRIGGER dueWithoutContract;
DROP TRIGGER dueWithSigner;
DROP TRIGGER dueWithNewPayment;
DROP TRIGGER dueWithPayment;
DROP TRIGGER dueWithCustomer;
DROP TRIGGER dueWithName;
DROP VIEW requestsDue;
DROP VIEW refusedSigners;
DROP TRIGGER laneOfNewJob;
DROP TRIGGER laneOfChangedJob;
DROP TRIGGER laneOfRemovedJob;
DROP INDEX usersRefused;
DROP INDEX historyByActor;
DROP INDEX historyByWord;
CREATE INDEX historyByActor ON history (actor, id);
CREATE INDEX historyByWord ON history (what, id);
`;
