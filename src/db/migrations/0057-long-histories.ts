/**
 * A customer can change a request, and so lengthen its history and the list of deliveries about it, as often as they like. What
 * decides about a request finds its words, jobs and failures without reading those.
 */
export const sql = `
CREATE INDEX historyByRequestAndWord ON history (requestId, what) WHERE requestId IS NOT NULL;
DROP INDEX jobsByRequest;
CREATE INDEX jobsByRequest ON jobs (requestId, kind, id) WHERE requestId IS NOT NULL;
CREATE INDEX jobsFailedByRequest ON jobs (requestId, id) WHERE state = 'failed';
`;
