/** The failed list by what failed and why: after a long outage its groups are counted without reading the jobs. */
export const sql = `
CREATE INDEX jobsFailedByError ON jobs (kind, lastError, finishedAt, id) WHERE state = 'failed';
`;
